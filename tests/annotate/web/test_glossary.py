"""The glossary: read from the documentation, shown on a page, and opened from the words of other pages."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Context, Template
from django.test import Client, RequestFactory

from annotate.web.glossary import BASIC, explained, glossary

BASE: Path = settings.BASE_DIR


def rendered(source: str, **values: object) -> str:
    request = RequestFactory().get("/")
    return Template("{% load terms %}" + source).render(Context({"request": request, **values}))


def test_each_word_has_one_meaning_in_plain_text() -> None:
    entries = [entry for of_section in glossary().values() for entry in of_section]
    names = [name.lower() for entry in entries for name in entry.names]
    assert len(entries) > 70
    assert len(names) == len(set(names))
    assert len({entry.anchor for entry in entries}) == len(entries)
    for entry in entries:
        assert entry.meaning.endswith(".")
        assert not re.search(r"[`\]\\]|\*\w", entry.meaning), entry


def test_basic_words_are_used_without_a_mark() -> None:
    assert {"system", "metric"} <= {name for entry in glossary()[BASIC] for name in entry.names}
    assert rendered('{% term "System" %}') == "System"
    assert rendered("{% term text %}", text="<u>") == "&lt;u&gt;"


def test_a_word_opens_its_meaning_without_a_script() -> None:
    shown = rendered('{% term "SPA" %} {% term "acc*eq" %} {% term "Rank" "rank range" %}')
    for number, text in enumerate(("SPA", "acc*eq", "Rank"), start=1):
        assert f'<button type="button" class="term" popovertarget="term-{number}">{text}</button>' in shown
        assert f'id="term-{number}" popover>' in shown
    assert 'href="/glossary/#spa"' in shown
    assert "soft pairwise accuracy" in shown.lower()


@pytest.mark.parametrize(
    "word", ["SPA", "acc*eq", "PERM-BOTH", "while watching", "surplus", "held", "lease", "signature", "kappa"]
)
def test_words_that_newcomers_asked_about(word: str) -> None:
    assert word.lower() in explained()


def test_pages_explain_only_words_that_the_glossary_has() -> None:
    asked = [
        (path, name or text)
        for path in (BASE / "templates").rglob("*.html")
        for text, name in re.findall(r'{% term (?:"([^"]*)"|\S+)(?: "([^"]*)")? %}', path.read_text())
    ]
    assert len(asked) > 10
    assert [each for each in asked if each[1] and each[1].lower() not in explained()] == []
    anchors = {entry.anchor for entry in explained().values()}
    for path in (BASE / "analysis").rglob("*.py"):
        assert set(re.findall(r"/glossary/#([\w-]+)", path.read_text())) <= anchors, path


@pytest.mark.django_db
@pytest.mark.any_database
def test_the_page_lists_all_words_for_everyone(client: Client, researcher: Client) -> None:
    for reader in (client, researcher):
        page = reader.get("/glossary/").content.decode()
        for entry in explained().values():
            assert f'<div id="{entry.anchor}">' in page
