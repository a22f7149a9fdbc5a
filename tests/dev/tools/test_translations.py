"""Translations of annotators' pages are complete and compiled, and faults in them are found."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from django.conf import settings

from core.languages import ENGLISH
from dev.tools.translations import as_text, compiled, faults, texts, translations, update

STORED = {path.parts[-3]: path for path in translations()}


@pytest.fixture(scope="module")
def wanted() -> Catalog:
    return texts()


def test_languages_that_are_offered_have_a_translation() -> None:
    assert set(settings.INTERFACE_LANGUAGES) == {ENGLISH, *STORED}


@pytest.mark.parametrize("tag", STORED)
def test_translations_are_complete(tag: str, wanted: Catalog) -> None:
    assert sorted(faults(STORED[tag], wanted)) == []


@pytest.mark.parametrize("tag", STORED)
def test_compiled_files_hold_the_translations(tag: str) -> None:
    assert STORED[tag].with_suffix(".mo").read_bytes() == compiled(STORED[tag])


def test_texts_come_from_templates_code_and_lists() -> None:
    found = {message.id for message in texts()}
    assert "Welcome back" in found
    assert "Say which correction is better." in found
    assert "Upsetting content" in found
    assert ("You answered %(answered)s screen.", "You answered %(answered)s screens.") in found


PAIRS = {
    "Hello": "Hallo",
    "%(number)s of <b>%(all)s</b>": "%(number)s von <b>%(all)s</b>",
    ("%(days)s day", "%(days)s days"): ("%(days)s Tag", "%(days)s Tage"),
}


def stored_in(folder: Path) -> Path:
    path = folder / "de" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(as_text(catalog_of(PAIRS)), encoding="utf-8")
    return path


def catalog_of(pairs: Mapping[Any, Any]) -> Catalog:
    catalog = Catalog(locale="de", charset="utf-8")
    for message_id, string in pairs.items():
        catalog.add(message_id, string)
    return catalog


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('msgstr "Hallo"', 'msgstr ""', "untranslated: Hello"),
        ('msgid "Hello"', '#, fuzzy\nmsgid "Hello"', "fuzzy: Hello"),
        ('msgid "Hello"', 'msgid "Goodbye"', "stale: Goodbye"),
        ("von <b>", "von ", "other placeholders or markup: %(number)s of <b>%(all)s</b>"),
        ("%(number)s von", "%(nummer)s von", "other placeholders or markup: %(number)s of <b>%(all)s</b>"),
        ("Hallo", r"\"Hallo\"", "a straight quotation mark, which would end an attribute: Hello"),
        ("Hallo", "100 % hallo", "a single % (write %%): Hello"),
        ('msgstr[1] "%(days)s Tage"\n', "", "untranslated: %(days)s day"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, fault: str) -> None:
    path = stored_in(tmp_path)
    text = path.read_text(encoding="utf-8")
    wanted = catalog_of(dict.fromkeys(PAIRS, ""))
    assert list(faults(path, wanted)) == []
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert fault in list(faults(path, wanted))


def test_forms_of_one_number_may_say_it_in_words(tmp_path: Path) -> None:
    path = tmp_path / "ar" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    ids = ("%(days)s day of %(all)s", "%(days)s days of %(all)s")
    wanted = Catalog(locale="ar", charset="utf-8")
    wanted.add(ids, "")
    catalog = Catalog(locale="ar", charset="utf-8")
    by_number = "%(days)s أيام من %(all)s"
    catalog.add(ids, ("لا يوم من %(all)s", "يوم من %(all)s", "يومان من %(all)s", *[by_number] * 3))
    path.write_text(as_text(catalog), encoding="utf-8")
    assert list(faults(path, wanted)) == []
    for lost in ("يوم", "أيام من %(all)s"):
        catalog[ids].string = ("لا يوم من %(all)s", lost, "يومان من %(all)s", lost, *[by_number] * 2)
        path.write_text(as_text(catalog), encoding="utf-8")
        assert list(faults(path, wanted)) == [f"other placeholders or markup: {ids[0]}"] * (
            1 + (lost == "يوم")
        )


def test_an_update_adds_new_texts_and_drops_old_ones(tmp_path: Path) -> None:
    path = stored_in(tmp_path)
    update(path, catalog_of({"Something else": ""}))
    assert list(faults(path, catalog_of({"Something else": ""}))) == ["untranslated: Something else"]
    assert "Hello" not in path.read_text(encoding="utf-8")
