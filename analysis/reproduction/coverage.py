"""Coverage of references (Choshen and Abend 2018), from the released distributions and anew."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.analyses.conservatism import ConservatismParameters, under_correction
from analysis.analyses.inputs import CorpusCorrections
from analysis.reproduction import published_coverage as published
from analysis.reproduction.cells import Cause, Cell, Table, exact, known, rounded, within
from core.progress import NoProgress
from metrics import EvaluationSet, metric_from_text, score
from metrics.scoring import Progress
from metrics.validation.conservatism import changes
from metrics.validation.coverage import (
    AnsweredSentence,
    CorrectionDistribution,
    Match,
    Normalisation,
    answer_histogram,
    corrections,
    coverages,
    distributions,
    in_need_of_correction,
    unseen_distribution,
    variants_and_mass,
)
from metrics.validation.coverage.sampled import LUCKY, PERFECT, Draw, corpus_estimate, sampled_test_set

TABLES = (
    "1",
    "1 solved anew",
    "1 from the answers",
    "accuracy",
    "F0.5",
    "4",
    "SARI",
    "under-correction",
    "6",
)

SOLVED_ANEW = (0.02, 0.11, 0.04, 0.08)
"""Tolerance of variants, as a share: some released distributions were estimated from other histograms."""

MASS_SOLVED_ANEW = 0.01

OTHER_ANSWERS = "some released histograms were counted from other answers"
NOT_KNOWN = "the cause is not known"
CLIPPED_EDITS = 0.002
CLIPPED = "released edits that leave their sentence or overlap are clipped or dropped"
OTHER_HISTOGRAMS = "some were estimated from other histograms than the released ones"
RESAMPLED = 0.002
RESAMPLES = "ends of intervals vary with the resamples"
ABOUT = 0.05
OF_2017 = (
    "Within .05: the paper counts edits that ERRANT typed in 2017, with another version and another parser."
)
"""Of Table 6."""

INDEPENDENT = "by an independent program; the paper draws it"
NOTHING_ADDED = "SARI gives 0 for additions or deletions where the reference has none"
FULL = 1e-9
"""Rounding error of a full score."""

M2 = "m2:ignore-whitespace-casing=yes"


@dataclass(frozen=True, slots=True)
class CoverageData:
    """The released data of the paper, and the outputs of CoNLL-2014.

    Attributes:
        histograms: of how often corrections were given, by sentence.
        exact: the distributions that were estimated from them.
        index: the same of corrections that change the same words.
        corrections: the collected corrections.
        simplifications: the same of simplifications.
        perfect: by number of references, a test set and the output of a perfect corrector.
        correctors: the systems of CoNLL-2014 and ten annotators.
        nucle: the same systems and the two official annotators.
        annotator_a: the corrections of the official annotator A.
    """

    histograms: Sequence[Sequence[int]]
    exact: Sequence[CorrectionDistribution]
    index: Sequence[CorrectionDistribution]
    corrections: Sequence[AnsweredSentence]
    simplifications: Sequence[AnsweredSentence]
    perfect: Mapping[int, tuple[EvaluationSet, Sequence[str]]]
    correctors: CorpusCorrections
    nucle: CorpusCorrections


def reproduce(data: CoverageData, *, tables: Collection[str], progress: Progress) -> dict[str, Table]:
    """The named tables of `TABLES`; `progress` gets the number of outputs scored."""
    compute: Mapping[str, Callable[[], Table]] = {
        "1": lambda: _table_1(data.exact),
        "1 solved anew": lambda: _solved_anew(data.histograms),
        "1 from the answers": lambda: _from_the_answers(data),
        "accuracy": lambda: _accuracy(data),
        "F0.5": lambda: _f(data, progress),
        "4": lambda: _table_4(data.simplifications),
        "SARI": lambda: _sari(data.simplifications, progress),
        "under-correction": lambda: _under_correction(data),
        "6": lambda: _table_6(data.nucle),
    }
    return {name: compute[name]() for name in TABLES if name in tables}


def _names(what: str) -> list[str]:
    return [f"{what} from {threshold:g}" for threshold in published.THRESHOLDS]


def _table_1(estimated: Sequence[CorrectionDistribution]) -> Table:
    variants, masses = variants_and_mass(estimated, published.THRESHOLDS)
    cells = zip(_names("variants"), published.VARIANTS, variants.tolist(), strict=True)
    table = {name: rounded(print_, ours, 2) for name, print_, ours in cells}
    cells = zip(_names("mass"), published.MASS, masses.tolist(), strict=True)
    return table | {name: rounded(print_, ours, 2) for name, print_, ours in cells}


def _solved_anew(histograms: Sequence[Sequence[int]]) -> Table:
    variants, masses = variants_and_mass(
        [unseen_distribution(histogram) for histogram in histograms], published.THRESHOLDS
    )
    table = {}
    rows = zip(_names("variants"), published.VARIANTS, variants.tolist(), SOLVED_ANEW, strict=True)
    for name, print_, ours, share in rows:
        table[name] = within(print_, ours, share * print_, reason=OTHER_HISTOGRAMS)
    for name, print_, ours in zip(_names("mass"), published.MASS, masses.tolist(), strict=True):
        table[name] = within(print_, ours, MASS_SOLVED_ANEW + 0.005, reason=OTHER_HISTOGRAMS)
    return table


def _from_the_answers(data: CoverageData) -> Table:
    """Figures that agree as printed, or deviate because some answers are not those of the histograms."""
    answered = in_need_of_correction(data.corrections)
    found = Counter(
        answer_histogram(corrections(each, Match.EXACT, Normalisation.WORDS)) for each in answered
    )
    released = Counter(tuple(np.trim_zeros(np.array(each), "b").tolist()) for each in data.histograms)
    equal = (found & released).total()
    cause = Cause(OTHER_ANSWERS, f"counted from the answers, of {len(data.histograms)},", equal)
    cells = _variants_and_mass(answered, published.VARIANTS, published.MASS, "")
    return {
        name: cell if cell.ok else known(cell.published, cell.ours, cause) for name, cell in cells.items()
    }


def _table_4(simplifications: Sequence[AnsweredSentence]) -> Table:
    answers = sum(len(sentence.answers) for sentence in simplifications)
    note = f"of {answers:,} answers to {len(simplifications)} sentences; the paper: 2,500 to 47; {NOT_KNOWN}"
    numbers, shares = published.SIMPLIFICATION_VARIANTS, published.SIMPLIFICATION_MASS
    return _variants_and_mass(simplifications, numbers, shares, note)


def _variants_and_mass(
    answered: Sequence[AnsweredSentence], numbers: Sequence[float], shares: Sequence[float], note: str
) -> Table:
    variants, masses = variants_and_mass(distributions(answered), published.THRESHOLDS)
    ours = [*variants.tolist(), *masses.tolist()]
    names = [*_names("variants"), *_names("mass")]
    return {
        name: rounded(print_, figure, 2, note)
        for name, print_, figure in zip(names, [*numbers, *shares], ours, strict=True)
    }


def _accuracy(data: CoverageData) -> Table:
    table = {}
    for what, figures, estimated in (
        ("exact match", published.ACCURACY, data.exact),
        ("index match", published.INDEX_MATCH, data.index),
    ):
        ours = coverages(estimated, list(figures)).mean(axis=0).tolist()
        for (references, figure), mean in zip(figures.items(), ours, strict=True):
            table[f"{what}, {_counted(references)}"] = rounded(figure, mean, 3, INDEPENDENT, printed=False)
    return table


def _counted(references: int) -> str:
    return f"{references} reference{'' if references == 1 else 's'}"


def _f(data: CoverageData, progress: Progress) -> Table:
    metric = metric_from_text(M2)
    table = {}
    for references, (test_set, output) in data.perfect.items():
        scored = score(metric, test_set, {PERFECT: output}, progress=progress)
        ours = scored.corpus(PERFECT).value
        table[_counted(references)] = _independent(published.F[references], ours, CLIPPED_EDITS, CLIPPED)
        if references in published.F_INTERVALS:
            estimate = corpus_estimate(scored, PERFECT)
            for end, figure, bound in zip(
                ("from", "to"), published.F_INTERVALS[references], (estimate.low, estimate.high), strict=True
            ):
                table[f"{_counted(references)}, {end}"] = _independent(figure, bound, RESAMPLED, RESAMPLES)
    return table


def _independent(figure: float, ours: float | None, tolerance: float, note: str) -> Cell:
    return within(figure, ours, tolerance, f"{INDEPENDENT}; {note}", printed=False)


def _sari(simplifications: Sequence[AnsweredSentence], progress: Progress) -> Table:
    """Scores of a perfect system, and of a lucky one, by number of references.

    Answers are drawn with replacement and compared token by token, as in the paper.
    """
    test_set = sampled_test_set(
        simplifications,
        max(published.SARI_REFERENCES),
        correct=0,
        draw=Draw.ANSWERS,
        normalisation=Normalisation.TOKENS,
    )
    sari, largest = metric_from_text("sari"), metric_from_text("max-sari")
    table = {}
    lucky = []
    for references in published.SARI_REFERENCES:
        scored = score(sari, *test_set.against(references), progress=progress)
        name = f"SARI of a perfect system, {_counted(references)}"
        table[name] = within(published.SARI, scored.corpus(PERFECT).value, ABOUT, 'the paper says "about"')
        lucky.append(scored.corpus(LUCKY).value or 0.0)
    falls = lucky == sorted(lucky, reverse=True)
    table["SARI of a lucky system"] = exact(
        "falls", "falls" if falls else "does not fall", "the paper says so in words", printed=False
    )
    scored = score(largest, *test_set.against(2), progress=progress)
    below = float(np.mean(scored.sentences(LUCKY) < 1 - FULL))
    table["MAX-SARI of a lucky system"] = known(
        published.LUCKY_MAX_SARI,
        scored.corpus(LUCKY).value,
        Cause(NOTHING_ADDED, "share of sentences that score less than 1 with one of their references", below),
    )
    return table


def _under_correction(data: CoverageData) -> Table:
    sources = data.correctors.sources
    camb = _texts(data.correctors.systems["CAMB"])
    people = map(_texts, data.correctors.people.values())
    words = {
        "CAMB": _edit_distance(sources, camb),
        "least of ten annotators": min(_edit_distance(sources, each) for each in people),
    }
    annotator_a = _texts(data.nucle.people["A"])
    unchanged = {"CAMB": _unchanged(sources, camb), "annotator A": _unchanged(sources, annotator_a)}
    return {
        **{
            f"words changed, {name}": exact(figure, words[name], INDEPENDENT, printed=False)
            for name, figure in published.WORDS_CHANGED.items()
        },
        **{
            f"sentences unchanged, {name}": exact(figure, unchanged[name], INDEPENDENT, printed=False)
            for name, figure in published.UNCHANGED.items()
        },
    }


def _texts(outputs: Sequence[str | None]) -> list[str]:
    """The outputs, of which none is missing here."""
    return [output or "" for output in outputs]


def _edit_distance(sources: Sequence[str], texts: Sequence[str]) -> int:
    return int(changes(sources, texts).edit_distance.sum())


def _unchanged(sources: Sequence[str], texts: Sequence[str]) -> int:
    return sum(source.split() == text.split() for source, text in zip(sources, texts, strict=True))


def _table_6(correctors: CorpusCorrections) -> Table:
    """24 ratios of edits by type, and their correlation with frequency (section 3.4)."""
    result = under_correction(correctors, ConservatismParameters(replicates=0), NoProgress())
    types = result.types
    rows = {} if types is None else {row.type: row for row in types.types}
    cells = {}
    for name, figure in published.TYPE_RATIOS.items():
        row = rows.get(name)
        note = f"{row.systems:.1f} edits of a system, {row.people:.1f} of its references" if row else ""
        cells[name] = within(figure, row.ratio.value if row else None, ABOUT, note)
    rho, p_value = (None, None) if types is None else (types.frequency, types.p_value)
    return cells | {
        "ratio and frequency, rho": within(published.FREQUENCY[0], rho, ABOUT),
        "ratio and frequency, p": within(published.FREQUENCY[1], p_value, ABOUT),
    }
