"""Coverage of references (Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation for
Grammatical Error Correction and Text Simplification"), from the released distributions and anew.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from analysis.analyses.references.under_correction import ConservatismParameters, under_correction
from analysis.reproduction import coverage_figures
from analysis.reproduction.cells import OurFigures, Ours, Table, compare, printed
from analysis.reproduction.paper import Paper
from analysis.reproduction.public_data.coverage_data import F_REFERENCES, Coverage, counted
from core.progress import NoProgress
from metrics import metric_from_text, score
from metrics.meta_evaluation.conservatism import changes
from metrics.meta_evaluation.coverage import (
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
from metrics.meta_evaluation.coverage.accuracy import coverage_without_replacement
from metrics.meta_evaluation.coverage.sampled import LUCKY, PERFECT, Draw, corpus_estimate, sampled_test_set

THRESHOLDS = (0.0, 0.001, 0.01, 0.1)
OF_2017 = (
    "Within .05: the paper counts edits that ERRANT typed in 2017, with another version and another parser."
)
"""The note below Table 6."""

FULL = 1e-9
"""Rounding error of a full score."""

WORDS_CHANGED = 6
"""The number of changes in a sentence for which section 3.2 states how many sentences have it."""

ACCURACY_REFERENCES = [1, 2, 5, 10, 15, 20]
WITH_INTERVAL = 2
SARI_REFERENCES = (1, 2, 5, 10, 20)


def table_1(data: Coverage) -> Table:
    """Mean number of corrections at least so frequent, by threshold, and their total probability."""
    return compare(printed("coverage", "1"), _variants_and_mass(data.exact))


def solved_anew(data: Coverage) -> Table:
    """Table 1 from distributions that are estimated from the released histograms."""
    estimated = [unseen_distribution(histogram) for histogram in data.histograms]
    return compare(printed("coverage", "1", "1 solved anew"), _variants_and_mass(estimated))


def from_the_answers(data: Coverage) -> Table:
    """Figures that agree as printed, or deviate because some answers are not those of the histograms."""
    answered = in_need_of_correction(data.corrections)
    found = Counter(
        answer_histogram(corrections(each, Match.EXACT, Normalisation.WORDS)) for each in answered
    )
    released = Counter(tuple(np.trim_zeros(np.array(each), "b").tolist()) for each in data.histograms)
    equal = (found & released).total()
    ours = _variants_and_mass(distributions(answered))
    return compare(
        printed("coverage", "1", "1 from the answers"),
        {name: Ours(figure, shows=equal) for name, figure in ours.items()},
    )


def table_4(data: Coverage) -> Table:
    """Table 1 of simplifications."""
    answered: Sequence[AnsweredSentence] = data.simplifications
    answers = sum(len(sentence.answers) for sentence in answered)
    note = f"{answers:,} answers to {len(answered)} sentences"
    ours = _variants_and_mass(distributions(answered))
    return compare(printed("coverage", "4"), {name: Ours(figure, note) for name, figure in ours.items()})


def _variants_and_mass(estimated: Sequence[CorrectionDistribution]) -> dict[str, float]:
    ours = variants_and_mass(estimated, THRESHOLDS)
    return {
        f"{what} from {threshold:g}": figure
        for what, figures in zip(("variants", "mass"), ours, strict=True)
        for threshold, figure in zip(THRESHOLDS, figures.tolist(), strict=True)
    }


def accuracy(data: Coverage) -> Table:
    """Expected accuracy of a perfect corrector by number of references."""
    ours: OurFigures = {}
    for match, estimated in (("exact match", data.exact), ("index match", data.index)):
        means = coverages(estimated, ACCURACY_REFERENCES).mean(axis=0).tolist()
        for references, mean in zip(ACCURACY_REFERENCES, means, strict=True):
            ours[f"{match}, {counted(references)}"] = mean
    ours["index match as stated"] = ours["index match, 10 references"]
    distinct = [coverage_without_replacement(each, 10)[-1] for each in data.exact]
    ours["exact match without replacement"] = float(np.mean(distinct))
    return compare(printed("coverage", "accuracy"), ours)


def f_half(data: Coverage) -> Table:
    """F0.5 of the released perfect corrector's outputs, ignoring case and white space."""
    ours: OurFigures = {}
    for references in F_REFERENCES:
        scored = data.scored_perfect(references)
        name = counted(references)
        ours[name] = scored.corpus(PERFECT).value
        if references == WITH_INTERVAL:
            estimate = corpus_estimate(scored, PERFECT)
            ours |= {f"{name}, from": estimate.low, f"{name}, to": estimate.high}
    return compare(printed("coverage", "F0.5"), ours)


def sari(data: Coverage) -> Table:
    """Scores of a perfect system, and of a lucky one, by number of references.

    Answers are drawn with replacement and compared token by token, as in the paper.
    """
    test_set = sampled_test_set(
        data.simplifications,
        max(SARI_REFERENCES),
        correct=0,
        draw=Draw.ANSWERS,
        normalisation=Normalisation.TOKENS,
    )
    metric, largest = metric_from_text("sari"), metric_from_text("max-sari")
    ours: OurFigures = {}
    lucky = []
    for references in SARI_REFERENCES:
        scored = score(metric, *test_set.against(references), progress=data.progress)
        ours[f"SARI of a perfect system, {counted(references)}"] = scored.corpus(PERFECT).value
        lucky.append(scored.corpus(LUCKY).value or 0.0)
    ours["SARI of a lucky system"] = "falls" if lucky == sorted(lucky, reverse=True) else "does not fall"
    scored = score(largest, *test_set.against(2), progress=data.progress)
    below = float(np.mean(scored.sentences(LUCKY) < 1 - FULL))
    ours["MAX-SARI of a lucky system"] = Ours(scored.corpus(LUCKY).value, shows=below)
    return compare(printed("coverage", "SARI"), ours)


def under_corrected(data: Coverage) -> Table:
    """Words inserted, deleted or substituted, by letters and digits alone, and sentences left as they are."""
    sources = data.correctors.sources
    camb = _texts(data.correctors.systems["CAMB"])
    people = map(_texts, data.correctors.people.values())
    annotator_a = _texts(data.nucle.people["A"])
    six = [_with_six(sources, _texts(each)) for each in data.correctors.people.values()]
    of_systems = {name: _with_six(sources, _texts(each)) for name, each in data.correctors.systems.items()}
    most = max(of_systems, key=lambda name: of_systems[name])
    return compare(
        printed("coverage", "under-correction"),
        {
            "words changed, CAMB": _edit_distance(sources, camb),
            "words changed, least of ten annotators": min(_edit_distance(sources, each) for each in people),
            "sentences unchanged, CAMB": _unchanged(sources, camb),
            "sentences unchanged, annotator A": _unchanged(sources, annotator_a),
            "sentences with six words changed, a reference": Ours(
                _with_six(sources, annotator_a), f"annotator A; {min(six)} to {max(six)} of ten annotators"
            ),
            "sentences with six words changed, most of a system": Ours(of_systems[most], most),
        },
    )


def _texts(outputs: Sequence[str | None]) -> list[str]:
    """The outputs, of which none is missing here."""
    return [output or "" for output in outputs]


def _edit_distance(sources: Sequence[str], texts: Sequence[str]) -> int:
    return int(changes(sources, texts).edit_distance.sum())


def _with_six(sources: Sequence[str], texts: Sequence[str]) -> int:
    return int((changes(sources, texts).words == WORDS_CHANGED).sum())


def _unchanged(sources: Sequence[str], texts: Sequence[str]) -> int:
    return sum(source.split() == text.split() for source, text in zip(sources, texts, strict=True))


def table_6(data: Coverage) -> Table:
    """24 ratios of edits by type, and their correlation with frequency (section 3.4)."""
    types = under_correction(data.nucle, ConservatismParameters(replicates=0), NoProgress()).types
    ours: OurFigures = {}
    if types is not None:
        for row in types.types:
            note = f"{row.systems:.1f} edits of a system, {row.people:.1f} of its references"
            ours[row.type] = Ours(row.ratio.value, note)
        ours |= {"ratio and frequency, rho": types.frequency, "ratio and frequency, p": types.p_value}
    return compare(printed("coverage", "6"), ours)


PAPER = Paper(
    data=Coverage,
    tables={
        "1": table_1,
        "1 solved anew": solved_anew,
        "1 from the answers": from_the_answers,
        "accuracy": accuracy,
        "F0.5": f_half,
        "GLEU": coverage_figures.gleu,
        "figure 1": coverage_figures.figure_1,
        "4": table_4,
        "SARI": sari,
        "under-correction": under_corrected,
        "6": table_6,
    },
    progress="Scoring outputs",
    steps={
        ("F0.5", "GLEU"): 1312 * len(F_REFERENCES),
        ("GLEU",): 1312 * len(F_REFERENCES),
        ("figure 1",): 1312 * 12,
        ("SARI",): 2 * 1312 * (len(SARI_REFERENCES) + 1),
    },
    remarks={"6": OF_2017},
)
