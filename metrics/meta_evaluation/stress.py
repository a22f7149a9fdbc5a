"""A metric under stress: texts that no reader would prefer, and what a metric makes of them.

Systems that ignore their task are made from the source sentences and one person's corrections. A reader puts
that person's corrections first, the unchanged sentences next, and everything else below. Rules name where a
metric sees it otherwise.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray
from metrics.base.evaluation_sets import EvaluationSet, Need
from metrics.base.metric import AnyMetric
from metrics.base.resampling import sentence_draws
from metrics.base.scoring import CorpusScore, Scored, score
from metrics.meta_evaluation.estimates import Estimate, estimated

REPLACED = 0.2
"""Share of the words that over-editing replaces."""

TIE = 1e-12

TOLERATED = 0.1
"""How much of the gain of a person's corrections over unchanged sentences a degenerate output may reach.

Over-edited corrections keep four fifths of a person's corrections, so they may score anything below these."""


class Degenerate(StrEnum):
    """A system that ignores its task."""

    UNCHANGED = "unchanged"
    EMPTY = "empty"
    REPEATED = "first-word-twice"
    SWAPPED = "two-words-swapped"
    OVER_EDITED = "over-edited"
    SHUFFLED = "shuffled"
    ELSEWHERE = "another-sentence"


PERSON = "person"

ALLOWED: Mapping[str, float] = {
    system: 1.0 if system in (Degenerate.UNCHANGED, Degenerate.OVER_EDITED) else TOLERATED
    for system in Degenerate
}
"""How much of the gain of a person's corrections each output may reach, without quite reaching it."""

WORDS: Mapping[str, str] = {
    PERSON: "a person's corrections",
    Degenerate.UNCHANGED: "the unchanged sentences",
    Degenerate.EMPTY: "empty outputs",
    Degenerate.REPEATED: "one needless edit in each sentence",
    Degenerate.SWAPPED: "an error inserted into each sentence",
    Degenerate.OVER_EDITED: "corrections, a fifth of words replaced",
    Degenerate.SHUFFLED: "shuffled words",
    Degenerate.ELSEWHERE: "fluent sentences about something else",
}


class Rule(StrEnum):
    """A rule about what a metric should not do."""

    NO_CHANGE_AS_GOOD = "no-change-as-good-as-a-person"
    WORSE_ABOVE = "worse-above-no-change"
    WORSE_EQUAL = "worse-equal-to-no-change"
    CREDIT_WITHOUT_EDITS = "credit-without-edits"
    PRECISION_WITHOUT_EDITS = "precision-without-edits"


@dataclass(frozen=True, slots=True)
class Finding:
    """A degenerate output that a metric rewards.

    Attributes:
        rule: which rule names it.
        system: the degenerate system.
        text: in words.
    """

    rule: Rule
    system: str
    text: str


@dataclass(frozen=True, slots=True)
class StressCard:
    """A metric under stress.

    Attributes:
        scores: by system, the person first; None where the metric gives no score.
        findings: what the rules name, in their order.
        differences: by system, how much higher it scores than the unchanged sentences, with its interval over
            sentences.
        excesses: by degenerate system, how much higher it scores than it may (`ALLOWED`), likewise.
    """

    scores: Mapping[str, float | None]
    findings: tuple[Finding, ...]
    differences: Mapping[str, Estimate] = field(default_factory=dict)
    excesses: Mapping[str, Estimate] = field(default_factory=dict)

    @property
    def unsure(self) -> frozenset[str]:
        """The systems that other sentences may put on the other side of the unchanged ones.

        Systems with the same score in all resamples are not among them.
        """
        return frozenset(system for system, each in self.differences.items() if _is_unsure(each))

    @property
    def is_clear(self) -> bool:
        """Whether no rule names anything, and no other sentences would change that."""
        return bool(self.differences) and not self.findings and not self.unsure


def _is_unsure(difference: Estimate) -> bool:
    if difference.low is None or difference.high is None:
        return True
    is_level = difference.low >= -TIE and difference.high <= TIE
    return not is_level and difference.low <= TIE and difference.high >= -TIE


def degenerate_outputs(
    sources: Sequence[str], corrections: Sequence[str], seed: int
) -> dict[str, tuple[str, ...]]:
    """The outputs of each degenerate system for these sentences, which are tokens separated by blanks.

    `corrections` are those of a person. Random choices of a sentence depend on the seed and its place alone.
    """
    words = np.array(sorted({word for source in sources for word in source.split()}), dtype=object)
    made: dict[str, list[str]] = {system: [] for system in Degenerate}
    for place, (source, correction) in enumerate(zip(sources, corrections, strict=True)):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(place,)))
        tokens = source.split()
        made[Degenerate.UNCHANGED].append(source)
        made[Degenerate.EMPTY].append("")
        made[Degenerate.REPEATED].append(" ".join([*tokens[:1], *tokens]))
        made[Degenerate.SWAPPED].append(" ".join(_swapped(tokens, rng)))
        made[Degenerate.OVER_EDITED].append(" ".join(_replaced(correction.split(), words, rng)))
        made[Degenerate.SHUFFLED].append(" ".join(rng.permutation(np.array(tokens, dtype=object))))
        made[Degenerate.ELSEWHERE].append(corrections[(place + 1) % len(corrections)])
    return {system: tuple(outputs) for system, outputs in made.items()}


def _swapped(tokens: list[str], rng: np.random.Generator) -> list[str]:
    """The tokens with two neighbours in each other's place, which differ where that is possible."""
    places = [place for place in range(len(tokens) - 1) if tokens[place] != tokens[place + 1]]
    if places:
        place = places[int(rng.integers(len(places)))]
        tokens = [*tokens[:place], tokens[place + 1], tokens[place], *tokens[place + 2 :]]
    return tokens


def _replaced(tokens: list[str], words: NDArray[np.str_], rng: np.random.Generator) -> list[str]:
    """The tokens, a share of them replaced by random words, at least one."""
    number = min(len(tokens), max(1, round(REPLACED * len(tokens))))
    places = set(rng.choice(len(tokens), number, replace=False).tolist()) if tokens else set()
    return [str(rng.choice(words)) if place in places else token for place, token in enumerate(tokens)]


def stress(
    metric: AnyMetric,
    data: EvaluationSet,
    corrections: Sequence[str],
    seed: int,
    progress: Callable[[int], None] = lambda outputs: None,
    *,
    replicates: int = 1000,
    confidence: float = 0.95,
) -> StressCard:
    """Score a person and each degenerate system against references, and apply the rules.

    `corrections` are the person's, one for each sentence of `data`; its references are those of others.
    `progress` gets the number of outputs scored. Intervals are percentiles of resampled sentences.

    Raises as `metrics.score` does.
    """
    outputs = {PERSON: tuple(corrections), **degenerate_outputs(data.sources, corrections, seed)}
    scored = score(metric, data, outputs, progress=progress)
    found = {system: scored.corpus(system) for system in outputs}
    compares_edits = metric.reads_edits or Need.GOLD_EDITS in metric.needs
    values = {system: each.value for system, each in found.items()}
    given = {system: value for system, value in values.items() if value is not None}
    drawn = _drawn(scored, given, replicates, seed, progress)
    nothing = dict.fromkeys([PERSON, *map(str, Degenerate)], 0.0)
    del nothing[Degenerate.UNCHANGED]
    return StressCard(
        values,
        findings(found, compares_edits=compares_edits),
        differences=_above(given, drawn, nothing, confidence),
        excesses=_above(given, drawn, ALLOWED, confidence),
    )


def _drawn(
    scored: Scored,
    systems: Collection[str],
    replicates: int,
    seed: int,
    progress: Callable[[int], None],
) -> dict[str, FloatArray]:
    """By system, its scores in the same resamples of the sentences."""
    draws = np.concatenate([*sentence_draws(len(scored.picks[PERSON]), range(replicates), seed)])
    drawn = {}
    for system, picks in scored.picks.items():
        if system in systems:
            drawn[system] = scored.metric.corpus_scores(scored.rows, picks[draws])
        progress(0)
    return drawn


def _above(
    values: Mapping[str, float],
    drawn: Mapping[str, FloatArray],
    allowed: Mapping[str, float],
    confidence: float,
) -> dict[str, Estimate]:
    """By system, how much higher it scores than the unchanged sentences and this share of a person's gain."""
    if not {PERSON, Degenerate.UNCHANGED} <= values.keys():
        return {}

    def limit(scores: Mapping[str, Any], share: float) -> Any:
        return (1 - share) * scores[Degenerate.UNCHANGED] + share * scores[PERSON]

    return {
        system: estimated(
            values[system] - limit(values, share), drawn[system] - limit(drawn, share), confidence
        )
        for system, share in allowed.items()
        if system in values
    }


def has_unsure_faults(card: StressCard) -> bool:
    """Whether other sentences may show no fault of a metric, or no disqualifying one if there are some."""
    if large := disqualifying_faults(card):
        return all(is_unsure_fault(card, system) for system in large)
    named = {finding.system for finding in card.findings}
    return bool(named) and named <= card.unsure


def is_unsure_fault(card: StressCard, system: str) -> bool:
    """Whether other sentences may not show the disqualifying fault that the score of this system is."""
    excess = card.excesses.get(system)
    return excess is not None and _is_unsure(excess)


def disqualifying_fault(card: StressCard) -> str | None:
    """Why a metric should not be reported, in a sentence; None where nothing speaks against it."""
    return next(iter(disqualifying_faults(card).values()), None)


def disqualifying_faults(card: StressCard) -> dict[str, str]:
    """By system, the findings for which a metric should not be reported, each in a sentence.

    A finding that could not change which system wins, such as a score of 0 for unchanged sentences and for
    empty ones, is no reason. A metric is disqualified if it does not prefer a person's corrections to no
    change, or if a degenerate output scores more than `TOLERATED` allows.
    """
    person, unchanged = card.scores[PERSON], card.scores[Degenerate.UNCHANGED]
    if person is None or unchanged is None:
        return {PERSON: f"It gives {WORDS[PERSON]} or the unchanged sentences no score."}
    if person <= unchanged + TIE:
        found = f"It gives the unchanged sentences {unchanged:.3f}, and {WORDS[PERSON]} {person:.3f}."
        return {Degenerate.UNCHANGED: found}
    faults: dict[str, str] = {}
    for system in Degenerate:
        value = card.scores.get(system)
        if system is Degenerate.UNCHANGED or value is None:
            continue
        if value - unchanged >= ALLOWED[system] * (person - unchanged) - TIE:
            faults[system] = (
                f"It gives {WORDS[system]} {value:.3f}, the unchanged sentences {unchanged:.3f} and "
                f"{WORDS[PERSON]} {person:.3f}."
            )
    return faults


def findings(found: Mapping[str, CorpusScore], *, compares_edits: bool) -> tuple[Finding, ...]:
    """Violations of the rules in the scores of a person and of degenerate systems.

    `compares_edits` says that the metric scores edits, so that a system without any has earned nothing.
    """
    unchanged, person = found[Degenerate.UNCHANGED].value, found[PERSON].value
    if unchanged is None:
        return ()
    named = []
    if person is not None and unchanged >= person - TIE:
        text = f"Leaving everything unchanged scores {unchanged:.3f}, a person {person:.3f}."
        named.append(Finding(Rule.NO_CHANGE_AS_GOOD, Degenerate.UNCHANGED, text))
    for system in Degenerate:
        value = found[system].value
        if system is Degenerate.UNCHANGED or value is None or value < unchanged - TIE:
            continue
        words = WORDS[system].capitalize()
        if value > unchanged + TIE:
            text = f"{words} score {value:.3f}, more than the unchanged sentences ({unchanged:.3f})."
            named.append(Finding(Rule.WORSE_ABOVE, system, text))
        else:
            text = f"{words} score {value:.3f}, as much as the unchanged sentences."
            named.append(Finding(Rule.WORSE_EQUAL, system, text))
    if compares_edits and unchanged > TIE:
        text = f"Without a single edit the score is {unchanged:.3f}."
        named.append(Finding(Rule.CREDIT_WITHOUT_EDITS, Degenerate.UNCHANGED, text))
    precision = found[Degenerate.UNCHANGED].details.get("precision", 0.0)
    if compares_edits and precision > 0:
        text = f"Without a single edit, precision is {precision:.3f}."
        named.append(Finding(Rule.PRECISION_WITHOUT_EDITS, Degenerate.UNCHANGED, text))
    return tuple(named)
