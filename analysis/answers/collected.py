"""Answers about campaigns that rank no systems: corrections that people wrote, and outputs judged valid."""

from statistics import median

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.references.corrections import CORRECTIONS, CORRECTIONS_COVERAGE, CorrectionsResult
from analysis.analyses.references.reference_coverage import ReferenceCoverage
from analysis.analyses.references.valid_outputs import ValidOutputs
from analysis.analyses.references.validity import VALIDITY, Validity
from analysis.answers.answer import ROWS, Answer, rows_on_one_scale
from analysis.answers.ranked import CAN_I_TRUST, Agreed, Work
from core.names import Naming
from core.wording import counted, whole_percent
from metrics.references import PersonAgreement
from metrics.references.agreement import NOTHING

HOW_MANY_CORRECTIONS = "How many corrections are there?"
ARE_THEY_ENOUGH = "How much do the corrections cover?"
WHICH_ARE_VALID = "Which outputs are valid?"

REFERENCES = (1, 5, 20, 50)
"""Numbers of references that the figure shows, as far as there are so many."""


def how_many_corrections(result: CorrectionsResult, naming: Naming) -> Answer:
    """The corrections of a sentence, and how many of them differ."""
    numbers = sorted(len(each.distinct) for each in result.sentences)
    extremes = {"Fewest": numbers[:1], "Median": numbers, "Most": numbers[-1:]}
    values = {label: median(some) for label, some in extremes.items() if some}
    rows = rows_on_one_scale(
        ((label, f"{value:g}", float(value), None, None, False) for label, value in values.items()),
        around=[0.0],
    )
    left_out = len(result.left_out)
    return Answer(
        HOW_MANY_CORRECTIONS,
        _finding(CORRECTIONS, result, naming),
        [f"{counted(left_out, 'sentence')} could not be corrected."] if left_out else [],
        rows,
        column="Distinct corrections of a sentence",
        facts={
            "answers": result.answers,
            "sentences": len(result.sentences),
            "left_out": left_out,
            "corrections_of_a_sentence": result.mean_corrections,
            "distinct_corrections_of_a_sentence": result.mean_distinct,
        },
    )


def are_they_enough(result: ReferenceCoverage, naming: Naming) -> Answer:
    """How a perfect corrector would fare against these corrections as references."""
    shown = [point for point in result.curve if point.references in REFERENCES][:ROWS]
    rows = rows_on_one_scale(
        (
            (
                counted(point.references, "reference"),
                whole_percent(value),
                value,
                point.accuracy.low,
                point.accuracy.high,
                False,
            )
            for point in shown
            if (value := point.accuracy.value) is not None
        ),
        around=[0.0, 1.0],
    )
    needed = result.needed
    miss = f"miss at most {whole_percent(needed.loss)} of the sentences"
    return Answer(
        ARE_THEY_ENOUGH,
        _finding(CORRECTIONS_COVERAGE, result, naming),
        [
            f"To {miss}, each needs {counted(needed.references, 'reference')}."
            if needed.references
            else f"With no number of references, it would {miss}."
        ],
        rows,
        column="Matches of a perfect corrector",
        facts={
            "sentences": result.sentences,
            "references_needed": needed.references,
            "loss": needed.loss,
            "accuracy": [
                {"references": point.references, "accuracy": point.accuracy.value} for point in result.curve
            ],
        },
    )


def do_correctors_agree(result: CorrectionsResult, work: Work) -> Answer:
    """How far the edits of people who corrected the same sentences are the same."""
    each = sum((person.each for person in result.people), NOTHING)
    best = sum((person.best for person in result.people), NOTHING)
    people: tuple[PersonAgreement, ...] = result.people
    facts = {
        "annotators": len(people),
        "f": each.f if people else None,
        "f_with_closest": best.f if people else None,
        **work.facts,
    }
    if not people:
        return Answer(
            CAN_I_TRUST,
            "How far annotators agree is not known: nobody corrected a sentence that another corrected.",
            work.sentences,
            facts=facts,
        )
    return Answer(
        CAN_I_TRUST,
        f"On average, {whole_percent(each.precision)} of an annotator’s edits are also made by another "
        "annotator.",
        [
            f"With the annotator who agrees best on each sentence, it is {whole_percent(best.precision)}. "
            "There are often several valid corrections, so people who differ may all be right.",
            *work.sentences,
        ],
        rows_on_one_scale(
            [
                ("Any other annotator", f"{each.f:.2f}", each.f, None, None, False),
                ("The closest one", f"{best.f:.2f}", best.f, None, None, False),
            ],
            around=[0.0, 1.0],
        ),
        column="F0.5 of edits",
        facts=facts,
    )


def which_are_valid(result: Validity, frequent: ValidOutputs | None, naming: Naming) -> Answer:
    """The share of outputs judged valid, by system, and how it depends on how often they are given."""
    known = sorted(
        ((each.share, str(each.of)) for each in result.systems if each.share is not None), reverse=True
    )
    rows = rows_on_one_scale(
        (
            (naming.label(system), whole_percent(valid), valid, None, None, False)
            for valid, system in known[:ROWS]
        ),
        around=[0.0, 1.0],
    )
    return Answer(
        WHICH_ARE_VALID,
        _finding(VALIDITY, result, naming),
        [] if frequent is None else _by_frequency(frequent),
        rows,
        column="Judged valid",
        facts={
            "outputs": result.total.outputs,
            "share": result.total.share,
            "valid": result.total.valid,
            "invalid": result.total.invalid,
            "cannot_say": result.total.cannot_say,
            "systems": [
                {"name": each.of, "outputs": each.outputs, "share": each.share} for each in result.systems
            ],
        },
    )


def _by_frequency(result: ValidOutputs) -> list[str]:
    if len(result.rows) < 2:
        return []
    rare, common = result.rows[0], result.rows[-1]
    given = (
        f"Of the outputs that {rare.label} of the {result.counted} gave, "
        f"{whole_percent(rare.share)} are valid"
    )
    return [f"{given}; of those that {common.label} gave, {whole_percent(common.share)}."]


def agreed_on_validity(result: Validity) -> Agreed:
    """Agreement on which outputs are valid."""
    return Agreed(result.between, result.repeated, len(result.annotators), result.total.verdicts)


def _finding(analysis: AnyAnalysis, result: object, naming: Naming) -> str:
    """The headline of the analysis, with its parameters as its page begins, as a sentence."""
    computed = analysis.shown(analysis.parameters(), result)
    finding = analysis.finding(computed, naming)
    return f"{finding.removesuffix('.')}."
