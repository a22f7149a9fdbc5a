"""Languages and their tags."""

import pytest

from core.languages import is_from_right, language_name, languages, script_of, tag_of


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("en", "en"),
        ("EN", "en"),
        ("en-gb", "en-GB"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("en-x-Learner", "en-x-Learner"),
        ("English", "en"),
        ("german", "de"),
        (" Czech ", "cs"),
        ("Norwegian Bokmål", "nb"),
        ("und", "und"),
        ("Klingonish", ""),
        ("englishlanguage", ""),
        ("en_GB", ""),
        ("", ""),
    ],
)
def test_a_tag_is_found_by_itself_and_by_the_name_of_its_language(text: str, tag: str) -> None:
    assert tag_of(text) == tag


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("en", "English"),
        ("EN", "English"),
        ("pt-BR", "Brazilian Portuguese"),
        ("de-LI", "German (de-LI)"),
        ("qqq", "qqq"),
        ("und", "not stated"),
    ],
)
def test_languages_have_names(tag: str, name: str) -> None:
    assert language_name(tag) == name


def test_the_list_is_sorted_and_holds_single_languages() -> None:
    names = list(languages().values())
    assert names == sorted(names)
    assert len(set(names)) == len(names) > 600
    assert {"mul", "zxx", "und"}.isdisjoint(languages())
    assert {"en", "de", "cs", "uk", "zh-Hans", "is", "mt"} <= set(languages())


@pytest.mark.parametrize(
    ("tag", "script", "from_right"),
    [
        ("cs", "Latn", False),
        ("sr", "Cyrl", False),
        ("sr-Latn", "Latn", False),
        ("ar-EG", "Arab", True),
        ("he", "Hebr", True),
        ("ur", "Arab", True),
        ("xx", "", False),
    ],
)
def test_the_script_and_direction_of_a_language(tag: str, script: str, *, from_right: bool) -> None:
    assert (script_of(tag), is_from_right(tag)) == (script, from_right)
