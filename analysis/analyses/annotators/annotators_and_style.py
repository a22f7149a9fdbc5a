"""Models of judgments with annotators and the style of outputs: parameters, computation and result."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.analyses.base import stated
from analysis.analyses.from_judgments import FromJudgments, tie_width_resolved
from analysis.analyses.judgment_inputs import JudgedTexts
from analysis.analyses.resampling import CONFIDENCES, confidence_of_intervals, seed_of
from core.later import pd
from core.progress import Progress
from metrics.meta_evaluation.coverage.word_edits import word_edits
from ranking import (
    AnnotatorModel,
    Effect,
    NotLinkedError,
    SeverityModel,
    annotator_model,
    holds_scores,
    severity_model,
    system_means,
)

PARTS = 3
"""Fits of the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorModelParameters(FromJudgments):
    """How judgments are modelled. Attributes: see each parameter's help."""

    confidence: float = confidence_of_intervals(offered=CONFIDENCES)
    seed: int = seed_of("the choice of judgments, if there are too many for one fit")


def resolved(parameters: AnnotatorModelParameters, scored: bool) -> AnnotatorModelParameters:
    """The parameters; scores are modelled as scores unless a tie width makes pairs of them.

    Raises:
        ParameterError: a tie width is given for rankings.
    """
    return parameters if scored else tie_width_resolved(parameters, scored)


@dataclass(frozen=True, slots=True)
class AnnotatorsAndStyle:
    """Result of the analysis.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        is_scored: whether scores were modelled: systems have mean scores, and annotators points of leniency.
        plain: the systems with all annotators alike.
        with_judges: the systems with the annotators in the model; empty where scores do not link all of them.
        with_style: the systems with annotators and style in the model; empty where style is not known, or
            scores do not tell it from the systems.
        judges: reliability of each annotator, or points given more than the mean annotator; empty where no
            common sentences link all annotators.
        style: weight of each property of outputs, in log odds or points for one unit.
        pairs: how many pairs, or scores, there are.
        used: how many of these the models were fitted to.
    """

    signature: str
    is_scored: bool
    plain: tuple[Effect, ...]
    with_judges: tuple[Effect, ...]
    with_style: tuple[Effect, ...]
    judges: tuple[Effect, ...]
    style: tuple[Effect, ...]
    pairs: int
    used: int


def annotators_and_style(
    inputs: JudgedTexts, parameters: AnnotatorModelParameters, progress: Progress
) -> AnnotatorsAndStyle:
    """Fit the model without annotators, with annotators, and with annotators and style.

    Raises:
        SnapshotError: as `ranking.annotators.annotator_model` and `ranking.severity_model`.
    """
    progress.begin("Fitting the model", total=PARTS)
    snapshot = inputs.snapshot
    style = styles(inputs)
    signature = inputs.signature(stated("judge-model", parameters))
    if holds_scores(snapshot) and parameters.tie_width is None:
        return _of_scores(signature, snapshot, style, parameters, progress)
    return _of_pairs(signature, snapshot, style, parameters, progress)


def _of_pairs(
    signature: str,
    snapshot: pd.DataFrame,
    style: pd.DataFrame | None,
    parameters: AnnotatorModelParameters,
    progress: Progress,
) -> AnnotatorsAndStyle:
    def fit(style: pd.DataFrame | None = None, *, reliabilities: bool = True) -> AnnotatorModel:
        model = annotator_model(
            snapshot,
            style,
            by=parameters.by,
            reliabilities=reliabilities,
            confidence=parameters.confidence,
            seed=parameters.seed,
            step=progress.step,
        )
        progress.advance(1)
        return model

    plain, judged = fit(reliabilities=False), fit()
    styled = None if style is None else fit(style)
    return AnnotatorsAndStyle(
        signature=signature,
        is_scored=False,
        plain=plain.systems,
        with_judges=judged.systems,
        with_style=styled.systems if styled else (),
        judges=judged.annotators,
        style=styled.style if styled else (),
        pairs=judged.pairs,
        used=judged.used,
    )


def _of_scores(
    signature: str,
    snapshot: pd.DataFrame,
    style: pd.DataFrame | None,
    parameters: AnnotatorModelParameters,
    progress: Progress,
) -> AnnotatorsAndStyle:
    plain = tuple(
        Effect(mean.system, mean.score, None, None, mean.ratings)
        for mean in system_means(snapshot)
        if mean.score is not None
    )
    progress.advance(1)
    judged = _severity(snapshot, None, parameters)
    progress.advance(1)
    styled = None if style is None else _severity(snapshot, style, parameters)
    progress.advance(1)
    return AnnotatorsAndStyle(
        signature=signature,
        is_scored=True,
        plain=plain,
        with_judges=judged.systems if judged else (),
        with_style=styled.systems if styled else (),
        judges=judged.annotators if judged else (),
        style=styled.style if styled else (),
        pairs=judged.ratings if judged else 0,
        used=judged.ratings if judged else 0,
    )


def _severity(
    snapshot: pd.DataFrame, style: pd.DataFrame | None, parameters: AnnotatorModelParameters
) -> SeverityModel | None:
    """The model; None as long as the scores do not tell its coefficients."""
    try:
        return severity_model(snapshot, style, confidence=parameters.confidence)
    except NotLinkedError:
        return None


def styles(inputs: JudgedTexts) -> pd.DataFrame | None:
    """The style of each judged output: number of edits, words more than the source has, whether unchanged.

    Without texts it is the given style or, without one, whether the output is that of the source. Properties
    that are the same everywhere are left out; None if none remains.
    """
    if inputs.style is not None:
        return inputs.style if len(inputs.style.columns) else None
    texts = inputs.texts
    if len(texts):
        pairs = list(zip(texts["source"], texts["text"], strict=True))
        style = pd.DataFrame(
            {
                "edits": [len(word_edits(source, text)) for source, text in pairs],
                "words added": [len(text.split()) - len(source.split()) for source, text in pairs],
                "unchanged": [source.split() == text.split() for source, text in pairs],
            },
            index=pd.MultiIndex.from_arrays([texts["sentence"], texts["output"]]),
            dtype=float,
        )
    elif (source := inputs.source) is not None:
        shown = inputs.snapshot.dropna(subset=["output"])
        shown = shown.astype({"output": "object"}).drop_duplicates(["sentence", "output"])
        unchanged = [float(source in systems) for systems in shown["systems"]]
        index = pd.MultiIndex.from_arrays([shown["sentence"], shown["output"]])
        style = pd.DataFrame({"unchanged": unchanged}, index=index)
    else:
        return None
    style = style.loc[:, style.nunique() > 1]
    return style if len(style.columns) else None
