"""Identifiers are derived from labels, and no two systems share one."""

import pytest

from formats.naming import (
    SameIdentifierError,
    SystemNames,
    clashes,
    fault_of_label,
    identifier_of,
    identifiers_of,
    is_identifier,
)


@pytest.mark.parametrize(
    ("label", "identifier"),
    [
        ("AMU", "AMU"),
        ("dev.ref0", "dev.ref0"),
        ("My system (v2)", "My-system-v2"),
        ("Žluťoučký kůň", "Zlutoucky-kun"),
        ("<b>bold</b>", "b-bold-b"),
        ("システム", "system-7"),
        (" - ", "system-7"),
        ("x" * 300, "x" * 200),
    ],
)
def test_a_label_gives_an_identifier(label: str, identifier: str) -> None:
    assert identifier_of(label, 7) == identifier
    assert is_identifier(identifier)


def test_two_labels_with_one_identifier_are_refused() -> None:
    with pytest.raises(SameIdentifierError, match="“A b” and “A-b” have the same identifier, A-b"):
        identifiers_of(["A b", "C", "A-b"])
    assert identifiers_of(["A b", "C"]) == {"A b": "A-b", "C": "C"}


@pytest.mark.parametrize("label", ["a\nb", "a\u202eb", "a\u2066b", "a\u2028b", "a\x00", "x" * 201])
def test_line_breaks_are_refused_in_labels(label: str) -> None:
    assert fault_of_label(label)


@pytest.mark.parametrize("label", ["", "<b>", "نظام", "e\u0301", "👩\u200d🔬", "a | b & c"])
def test_any_other_text_is_a_label(label: str) -> None:
    assert not fault_of_label(label)


def names(name: str, label: str = "") -> SystemNames:
    return SystemNames(name, label, "system")


def test_labels_that_look_the_same_clash_and_plain_names_need_only_differ() -> None:
    assert clashes({"a": names("AMU"), "b": names("amu")}) == []
    assert [clash[:2] for clash in clashes({"a": names("A", "One  x"), "b": names("B", "ONE X")})] == [
        ("b", "label")
    ]
    assert [clash[:2] for clash in clashes({"a": names("A"), "b": names("A", "other")})] == [("b", "name")]
