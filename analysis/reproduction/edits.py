"""Figures of PEVData, judgments of single edits, computed from its public file.

Zhan, Zhang, Yuan, Ma, Yang, Gu, Liu and Wu 2026, "JELV: A Judge of Edit-Level Validity for Evaluation and
Automated Reference Expansion in Grammatical Error Correction", AAAI. People judged whether an edit is valid;
each pair of sentences differs in one. Figures are held against those that an independent program computed
from the file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from analysis.reproduction.cells import OurFigures, Ours, Table, compare, printed
from analysis.reproduction.paper import Paper
from analysis.reproduction.public_data.edits_data import Edits, Form, JudgedEdit

Tokeniser = Callable[[str], Sequence[str]]


def counts(data: Edits) -> Table:
    """Edits by judgment."""
    valid = sum(edit.is_valid for edit in data.judged)
    ours: OurFigures = {
        "pairs": len(data.judged),
        "valid": valid,
        "invalid": len(data.judged) - valid,
    }
    return compare(printed("edits", "counts"), ours)


def forms(data: Edits) -> Table:
    """Edits by the form in which the file writes them, and how often the offsets are right.

    Offsets are right if the tokens of the source at these places are the words that the edit replaces. The
    independent program left stray brackets among these words.
    """
    ours: OurFigures = {}
    for form in Form:
        of_form = [edit for edit in data.judged if edit.form is form]
        ours |= {form: len(of_form), f"{form}, valid": sum(edit.is_valid for edit in of_form)}
    for form, name, tokens in (
        (Form.BOTH, "blanks", str.split),
        (Form.BOTH, "spaCy", _spacy_tokeniser()),
        (Form.SOURCE, "blanks", str.split),
    ):
        right = [edit for edit in data.judged if edit.form is form and _is_right(edit, tokens)]
        bracketed = sum(edit.before.has_bracket for edit in right)
        ours[f"{form}, right by {name}"] = Ours(len(right), shows=bracketed)
    return compare(printed("edits", "forms"), ours)


def _spacy_tokeniser() -> Tokeniser:
    from spacy.lang.en import English

    tokeniser = English().tokenizer
    return lambda text: [token.text for token in tokeniser(text)]


def _is_right(edit: JudgedEdit, tokens: Tokeniser) -> bool:
    if edit.before.offsets is None:
        return False
    start, end = edit.before.offsets
    return " ".join(tokens(edit.source)[start:end]) == edit.before.text


def kinds(data: Edits) -> Table:
    """Insertions, deletions and replacements, by the text of the edit, and how many of each are valid.

    The independent program left stray brackets where they stand, and so counted some insertions as
    replacements of a bracket.
    """
    of_kind: dict[str, list[JudgedEdit]] = defaultdict(list)
    for edit in data.judged:
        kind = "replacements" if edit.after.text else "deletions"
        of_kind[kind if edit.before.text else "insertions"].append(edit)
    bracketed = [edit for edit in of_kind["insertions"] if edit.before.has_bracket]
    ours: dict[str, Ours] = {}
    for kind, edits in of_kind.items():
        ours |= {
            kind: Ours(len(edits), shows=len(bracketed)),
            f"{kind}, valid": Ours(
                sum(edit.is_valid for edit in edits), shows=sum(edit.is_valid for edit in bracketed)
            ),
        }
    return compare(printed("edits", "kinds"), ours)


def agreement(data: Edits) -> Table:
    """Pairs of sentences that were judged more than once, or also the other way round.

    A judgment is of a direction: if an edit is valid, the edit that undoes it should not be.
    """
    judgments: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for edit in data.judged:
        judgments[edit.source, edit.hypothesis].append(edit.is_valid)
    repeated = [given for given in judgments.values() if len(given) > 1]
    n_valid = [
        any(given) + any(judgments[after, before])
        for (before, after), given in judgments.items()
        if before < after and (after, before) in judgments
    ]
    ours: OurFigures = {
        "judged more than once": len(repeated),
        "contradicted": sum(len(set(given)) > 1 for given in repeated),
        "in both directions": len(n_valid),
        "valid in one direction": n_valid.count(1),
        "valid in neither": n_valid.count(0),
        "valid in both": n_valid.count(2),
    }
    return compare(printed("edits", "agreement"), ours)


PAPER = Paper(
    data=Edits,
    tables={"counts": counts, "forms": forms, "kinds": kinds, "agreement": agreement},
    progress="Judgments",
    steps={},
)
