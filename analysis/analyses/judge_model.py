"""Judges and style in the model of judgments, for pages and commands."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.analyses.base import (
    Analysis,
    Progress,
    Table,
    register,
    stated,
    with_controls,
    with_excluded,
)
from analysis.analyses.inputs import JudgedTexts
from analysis.analyses.ranking import (
    CONFIDENCES,
    LARGEST_SEED,
    RATED,
    basis,
    tie_width_parameter,
    tie_width_resolved,
)
from core.later import pd
from metrics.parameters import parameter
from metrics.validation.coverage.word_edits import word_edits
from ranking import (
    Effect,
    JudgeModel,
    NotLinkedError,
    SeverityModel,
    holds_scores,
    judge_model,
    severity_model,
    system_means,
)

PARTS = 3
"""Fits of the model."""


@dataclass(frozen=True, slots=True)
class JudgeModelParameters:
    """How judgments are modelled. Attributes: see each parameter's help."""

    confidence: float = parameter(
        0.95,
        label="Confidence",
        help="Confidence level of the intervals.",
        minimum=0.5,
        maximum=0.999,
        labels=CONFIDENCES,
    )
    seed: int = parameter(
        0,
        label="Seed",
        help="Seed for the choice of judgments, if there are too many for one fit.",
        minimum=0,
        maximum=LARGEST_SEED,
    )
    tie_width: float | None = tie_width_parameter()
    controls: bool = with_controls()
    excluded: bool = with_excluded()


def resolved(parameters: JudgeModelParameters, scored: bool) -> JudgeModelParameters:
    """The parameters; scores are modelled as scores unless a tie width makes pairs of them.

    Raises:
        ParameterError: a tie width is given for rankings.
    """
    return parameters if scored else tie_width_resolved(parameters, scored)


@dataclass(frozen=True, slots=True)
class JudgesAndStyle:
    """Result of the analysis.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        is_scored: whether scores were modelled: systems have mean scores, and judges points of leniency.
        plain: the systems with all judges alike.
        with_judges: the systems with the judges in the model; empty where scores do not link all of them.
        with_style: the systems with judges and style in the model; empty where style is not known, or scores
            do not tell it from the systems.
        judges: reliability of each judge, or points given more than the mean judge; empty where no common
            sentences link all judges.
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


def judges_and_style(
    inputs: JudgedTexts, parameters: JudgeModelParameters, progress: Progress
) -> JudgesAndStyle:
    """Fit the model without judges, with judges, and with judges and style.

    Raises:
        SnapshotError: as `ranking.judge_model` and `ranking.severity_model`.
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
    parameters: JudgeModelParameters,
    progress: Progress,
) -> JudgesAndStyle:
    def fit(style: pd.DataFrame | None = None, *, reliabilities: bool = True) -> JudgeModel:
        model = judge_model(
            snapshot,
            style,
            by=basis(parameters.tie_width),
            reliabilities=reliabilities,
            confidence=parameters.confidence,
            seed=parameters.seed,
            step=lambda: progress.advance(0),
        )
        progress.advance(1)
        return model

    plain, judged = fit(reliabilities=False), fit()
    styled = None if style is None else fit(style)
    return JudgesAndStyle(
        signature=signature,
        is_scored=False,
        plain=plain.systems,
        with_judges=judged.systems,
        with_style=styled.systems if styled else (),
        judges=judged.judges,
        style=styled.style if styled else (),
        pairs=judged.pairs,
        used=judged.used,
    )


def _of_scores(
    signature: str,
    snapshot: pd.DataFrame,
    style: pd.DataFrame | None,
    parameters: JudgeModelParameters,
    progress: Progress,
) -> JudgesAndStyle:
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
    return JudgesAndStyle(
        signature=signature,
        is_scored=True,
        plain=plain,
        with_judges=judged.systems if judged else (),
        with_style=styled.systems if styled else (),
        judges=judged.judges if judged else (),
        style=styled.style if styled else (),
        pairs=judged.ratings if judged else 0,
        used=judged.ratings if judged else 0,
    )


def _severity(
    snapshot: pd.DataFrame, style: pd.DataFrame | None, parameters: JudgeModelParameters
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


def _tables(result: JudgesAndStyle) -> tuple[Table, ...]:
    effects = {
        "Systems": result.with_judges,
        "Systems, with style in the model": result.with_style,
        "Leniency of judges" if result.is_scored else "Reliability of judges": result.judges,
        "Style": result.style,
    }
    return tuple(
        Table(
            title,
            ("", "value", "from", "to"),
            tuple((effect.name, effect.value, effect.low, effect.high) for effect in of_kind),
        )
        for title, of_kind in effects.items()
        if of_kind
    )


def methods(parameters: JudgeModelParameters, result: JudgesAndStyle) -> list[str]:
    """The model in sentences for a paper."""
    what = "ratings" if result.is_scored else "pairs of outputs"
    kind = "points of leniency" if result.is_scored else "a reliability"
    annotators = f" and each of {len(result.judges)} annotators {kind}" if result.judges else ""
    sentences = [
        f"A model of {result.used:,} of {result.pairs:,} {what} gives each of {len(result.with_judges)} "
        f"systems a {'mean score' if result.is_scored else 'strength'}{annotators}, with intervals at "
        f"{100 * parameters.confidence:g} % confidence."
    ]
    if result.used < result.pairs:
        sentences.append(f"The {what} are chosen at random (seed {parameters.seed}).")
    if result.style:
        names = ", ".join(effect.name for effect in result.style)
        sentences.append(f"A second model adds the style of outputs: {names}.")
    return sentences


JUDGE_MODEL = register(
    Analysis(
        name="judge-model",
        title="Judges and style",
        help="How reliable or lenient annotators are, and the ranking with and without the style of outputs.",
        parameters=JudgeModelParameters,
        result=JudgesAndStyle,
        inputs=JudgedTexts,
        columns=RATED,
        compute=judges_and_style,
        tables=_tables,
        methods=methods,
        resolve=resolved,
    )
)
