"""References before and after they grow, with the scores of systems: parameters, result, computation."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.analyses.base import stated
from analysis.analyses.references.collected import GrowingReferences
from analysis.analyses.resampling import confidence_of_intervals, replicates_of_intervals, seed_of_everything
from core.parameters import ParameterError, parameter
from core.progress import Progress
from metrics import Annotation, InputError, metric_from_text
from metrics.base.resampling import resampled_means
from metrics.meta_evaluation import Estimate
from metrics.meta_evaluation.coverage import (
    AnsweredSentence,
    CoverageError,
    distributions,
    expected_accuracy,
    expected_coverage,
    in_need_of_correction,
)
from metrics.meta_evaluation.estimates import estimated
from metrics.references import (
    Edits,
    GrownScores,
    UncoveredOutput,
    covered_by,
    edits_between,
    grown_scores,
    in_words,
    uncovered_outputs,
)

MOST_SHOWN = 50
SENTENCES_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class GrownParameters:
    """Parameters of growing references. Attributes: see each parameter's help."""

    metric: str = parameter(
        "m2",
        label="Metric",
        help="A metric with precision and recall of edits.",
        choices=("m2", "errant"),
        labels={"m2": "M2 (MaxMatch)", "errant": "ERRANT"},
    )
    confidence: float = confidence_of_intervals()
    replicates: int = replicates_of_intervals(minimum=100, maximum=10_000)
    seed: int = seed_of_everything()


@dataclass(frozen=True, slots=True)
class Uncovered:
    """An output that no reference contains.

    Attributes:
        output: the output with its systems.
        source: its sentence.
    """

    output: UncoveredOutput
    source: str


@dataclass(frozen=True, slots=True)
class CoveredSystem:
    """How many outputs of a system references contain, of sentences with references.

    Attributes:
        system: its name.
        changed: outputs that change their sentence.
        share: of these, the share that a reference contains, with its interval over sentences.
    """

    system: str
    changed: int
    share: Estimate


@dataclass(frozen=True, slots=True)
class Prediction:
    """The share of sentences on which a perfect corrector would match a reference.

    Attributes:
        before: against as many references as sentences had.
        after: against as many as they have now, if these were drawn as people correct.
        sentences: number of sentences from which this is estimated.
        reason: why there is no prediction; None if there is one.
    """

    before: Estimate
    after: Estimate
    sentences: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class GrownResult:
    """References before and after they have grown.

    Attributes:
        signature: computation and texts; equal signatures mean equal numbers.
        references: number of references before.
        grown: number of references that were outputs of systems.
        sentences: number of sentences that these belong to.
        uncovered: number of distinct outputs that no reference contains now.
        covered: by system, how many of its outputs that change a sentence with references a reference
            contains.
        most_frequent: the most frequent of the outputs that no reference contains, at most `MOST_SHOWN`:
            first those of sentences that have a reference, and of these first those that change their
            sentence.
        left_out: systems that lack outputs, which are not scored.
        scores: the systems before and after; None if nothing has grown, or there is nothing to score.
        prediction: what coverage predicts; None if nothing has grown, or there is nothing to score.
    """

    signature: str
    references: int
    grown: int
    sentences: int
    uncovered: int
    covered: tuple[CoveredSystem, ...]
    most_frequent: tuple[Uncovered, ...]
    left_out: tuple[str, ...]
    scores: GrownScores | None
    prediction: Prediction | None


def grown_references(
    inputs: GrowingReferences, parameters: GrownParameters, progress: Progress
) -> GrownResult:
    """Score the systems with the references before and after, and list what no reference contains.

    Raises:
        ParameterError: the metric cannot score the corpus.
    """
    progress.begin("Comparing outputs with references")
    everything = [list(texts) for texts in inputs.texts]
    for each in inputs.grown:
        everything[each.sentence].append(each.text)
    uncovered = uncovered_outputs(everything, inputs.systems)
    complete = {
        name: [text for text in texts if text is not None]
        for name, texts in inputs.systems.items()
        if None not in texts
    }
    has_grown = bool(inputs.grown and complete)
    return GrownResult(
        signature=inputs.signature(stated("grown-references", parameters)),
        references=sum(map(len, inputs.texts)),
        grown=len(inputs.grown),
        sentences=len({each.sentence for each in inputs.grown}),
        uncovered=len(uncovered),
        covered=_covered(inputs, everything, parameters),
        most_frequent=tuple(
            Uncovered(output, inputs.data.sources[output.sentence])
            for output in sorted(
                uncovered,
                key=lambda each: (
                    not everything[each.sentence],
                    in_words(each.text) == in_words(inputs.data.sources[each.sentence]),
                ),
            )[:MOST_SHOWN]
        ),
        left_out=tuple(sorted(set(inputs.systems) - set(complete))),
        scores=_scores(inputs, complete, parameters, progress) if has_grown else None,
        prediction=_prediction(inputs, everything, parameters, progress) if has_grown else None,
    )


def _covered(
    inputs: GrowingReferences, references: Sequence[Sequence[str]], parameters: GrownParameters
) -> tuple[CoveredSystem, ...]:
    """The systems, those of which references contain most first.

    An unchanged output is left out, because it is covered wherever one person leaves the sentence as it is.
    """
    known = covered_by(references)
    systems = []
    for name, outputs in inputs.systems.items():
        hits = np.array(
            [
                float(in_words(text) in known[place])
                for place, (text, source) in enumerate(zip(outputs, inputs.data.sources, strict=True))
                if text is not None and known[place] and in_words(text) != in_words(source)
            ]
        )
        if len(hits):
            means = resampled_means(hits, parameters.replicates, parameters.seed)
            share = estimated(float(hits.mean()), means, parameters.confidence)
            systems.append(CoveredSystem(name, len(hits), share))
    return tuple(sorted(systems, key=lambda each: -(each.share.value or 0.0)))


def _scores(
    inputs: GrowingReferences,
    outputs: dict[str, list[str]],
    parameters: GrownParameters,
    progress: Progress,
) -> GrownScores:
    edits = edits_between(inputs.data.parser)
    data = inputs.data
    if data.annotations is None and data.references is not None:
        data = replace(data, annotations=_annotated(inputs, edits))
    progress.begin("Scoring systems before and after", total=len(outputs))
    try:
        return grown_scores(
            metric_from_text(parameters.metric),
            data,
            inputs.grown,
            outputs,
            edits,
            replicates=parameters.replicates,
            confidence=parameters.confidence,
            seed=parameters.seed,
            progress=progress.advance,
        )
    except InputError as error:
        raise ParameterError(faults={"metric": f"{error}"}) from error


def _annotated(inputs: GrowingReferences, edits: Edits) -> tuple[tuple[Annotation, ...], ...]:
    """The edits of references that are known by their texts."""
    return tuple(
        tuple(Annotation(str(number), edits(source, text)) for number, text in enumerate(texts))
        for source, texts in zip(inputs.data.sources, inputs.texts, strict=True)
    )


def _prediction(
    inputs: GrowingReferences,
    everything: Sequence[Sequence[str]],
    parameters: GrownParameters,
    progress: Progress,
) -> Prediction:
    """The expected accuracy of a perfect corrector, from what people wrote (Choshen and Abend 2018)."""
    answered = {
        AnsweredSentence(source, before): (len(before), len(after))
        for source, before, after in zip(inputs.data.sources, inputs.texts, everything, strict=True)
        if len(before) > 1
    }
    needed = in_need_of_correction(list(answered))
    if not needed:
        none = Estimate(None, None, None, "no sentence has two references that correct it")
        return Prediction(none, none, 0, none.reason)
    progress.begin("Estimating coverage", total=len(needed))
    before, after = [], []
    for start in range(0, len(needed), SENTENCES_AT_ONCE):
        some = needed[start : start + SENTENCES_AT_ONCE]
        try:
            estimated = distributions(some)
        except CoverageError as error:
            none = Estimate(None, None, None, str(error))
            return Prediction(none, none, 0, none.reason)
        for sentence, distribution in zip(some, estimated, strict=True):
            fewer, more = answered[sentence]
            before.append(expected_coverage(distribution, fewer))
            after.append(expected_coverage(distribution, more))
        progress.advance(len(some))
    first, second = (
        expected_accuracy(
            np.array(values),
            confidence=parameters.confidence,
            replicates=parameters.replicates,
            seed=parameters.seed,
        )
        for values in (before, after)
    )
    return Prediction(first, second, len(needed), None)
