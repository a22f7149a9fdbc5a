"""Identifiers are derived from labels, and no two systems share one."""

import pytest

from formats.naming import (
    SameIdentifierError,
    SystemNames,
    clashes,
    fault_of_identifier,
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


@pytest.mark.parametrize("name", ["CON", "nul", "Com1", "LPT9.txt", "aux.v2.1", "A.", "..", "."])
def test_no_file_has_such_a_name_on_every_computer(name: str) -> None:
    assert fault_of_identifier(name)
    derived = identifier_of(name, 7)
    assert is_identifier(derived)
    assert not fault_of_identifier(derived)


@pytest.mark.parametrize(
    "name", ["CONN", "console", "COM", "COM10", "A.1", ".A", "nul-1", "INPUT", "SOURCE+ERROR"]
)
def test_other_identifiers_can_name_files(name: str) -> None:
    assert not fault_of_identifier(name)
    assert identifier_of(name, 7) == name


@pytest.mark.parametrize("labels", [("AMU", "amu"), ("Café", "cafe"), ("x" * 200, "X" * 200)])
def test_identifiers_that_differ_only_in_case_are_refused(labels: tuple[str, str]) -> None:
    with pytest.raises(SameIdentifierError, match="differ only in case"):
        identifiers_of(labels)


def test_one_label_in_two_normal_forms_has_one_identifier() -> None:
    with pytest.raises(SameIdentifierError, match="have the same identifier, Cafe"):
        identifiers_of(["Café", "Cafe\u0301"])


def test_systems_that_could_be_mistaken_for_each_other_clash() -> None:
    [(key, field, said)] = clashes({"a": names("AMU"), "b": names("amu")})
    assert (key, field) == ("b", "name")
    assert said.startswith("The identifiers AMU and amu differ only in case")
    assert [clash[:2] for clash in clashes({"a": names("A", "One  x"), "b": names("B", "ONE X")})] == [
        ("b", "label")
    ]
    assert [clash[:2] for clash in clashes({"a": names("A"), "b": names("A", "other")})] == [("b", "name")]
