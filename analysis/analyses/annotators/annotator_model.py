"""Analysis of the reliability or leniency of annotators, and of the style of outputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter

from analysis.analyses.annotators.annotators_and_style import (
    AnnotatorModelParameters,
    AnnotatorsAndStyle,
    annotators_and_style,
    resolved,
)
from analysis.analyses.base import Analysis, Group, register
from analysis.analyses.judgment_inputs import JudgedTexts
from analysis.analyses.systems.ranking import RATED
from core.columns import Amount, Annotator, Column, Count, Estimated, Number, System, Text
from core.names import Naming
from core.results import Computed, Figure, Layout
from core.tables import Table
from core.wording import briefly, listed, some_of, with_interval
from figures.annotators.effects import EffectsPanel, effects_figure
from figures.drawing import Chart
from formats.snapshot.vocabulary import AnswerKind
from ranking import Effect

UNITS = {False: "Log strength", True: "Mean score"}
"""What the models give systems, of pairs and of scores."""

MOST_ANNOTATORS = 2
"""Annotators that a heading names; it counts more."""

DIGITS = 3
"""Systems that differ by less are equal: a fit is not more exact."""


@dataclass(frozen=True, slots=True)
class ModelledSystem:
    """A system in the three models.

    Attributes:
        system: its name.
        plain: with all annotators alike.
        with_judges: with the annotators in the model.
        with_style: with style too; None where style is not known.
        ranks: its rank in each of these models.
    """

    system: str
    plain: Effect
    with_judges: Effect
    with_style: Effect | None
    ranks: Sequence[int]


def modelled_systems(computed: Computed) -> Iterator[ModelledSystem]:
    """The systems, best first by the largest model."""
    result: AnnotatorsAndStyle = computed.result
    ranks = [ranks_of(model) for model in (result.plain, result.with_judges, result.with_style) if model]
    plain = {effect.name: effect for effect in result.plain}
    styled = {effect.name: effect for effect in result.with_style}
    judged = {effect.name: effect for effect in result.with_judges}
    for name in styled or judged:
        yield ModelledSystem(
            name,
            plain[name],
            judged[name],
            styled.get(name),
            [of_model[name] for of_model in ranks],
        )


def ranks_of(model: Sequence[Effect]) -> dict[str, int]:
    """The rank of each system; those that are equal share the best one."""
    values = [round(effect.value, DIGITS) for effect in model]
    return {
        effect.name: 1 + sum(other > value for other in values)
        for effect, value in zip(model, values, strict=True)
    }


def long_rows(computed: Computed) -> Iterator[tuple[str, str, Effect]]:
    """Model, kind and effect of everything that was estimated."""
    result: AnnotatorsAndStyle = computed.result
    for model, kind, effects in (
        ("plain", "system", result.plain),
        ("judges", "system", result.with_judges),
        ("judges", "judge", result.judges),
        ("style", "system", result.with_style),
        ("style", "property", result.style),
    ):
        yield from ((model, kind, effect) for effect in effects)


LONG = Table(
    rows=long_rows,
    columns=(
        Text("model", value=itemgetter(0)),
        Text("kind", value=itemgetter(1)),
        Text("name", value=lambda row: row[2].name),
        Number("value", value=lambda row: row[2].value),
        Number("low", value=lambda row: row[2].low),
        Number("high", value=lambda row: row[2].high),
        Count("pairs", value=lambda row: row[2].pairs),
    ),
    caption="Systems, annotators and style",
)


def _estimates(computed: Computed) -> list[Column]:
    """The estimates of each model: the largest one is drawn, and the others stand beside it."""
    unit = UNITS[computed.result.is_scored]
    annotators, plain = attrgetter("with_judges"), attrgetter("plain")
    alike = Estimated("", "Plain", plain, heading="All annotators alike")
    if not computed.result.with_style:
        return [
            Estimated("", "Annotators", annotators, heading=unit, drawn="With annotators in the model"),
            alike,
        ]
    drawn = "With annotators and style in the model"
    return [
        Estimated("", "Style", attrgetter("with_style"), heading=unit, drawn=drawn),
        Estimated("", "Annotators", annotators, heading="Without style"),
        alike,
    ]


def _columns_of_systems(computed: Computed) -> Sequence[Column]:
    """The drawn estimate, the rank by each model, and the other estimates."""
    drawn, *others = _estimates(computed)
    ranks = Amount(
        "",
        "Ranks: alike → annotators → style",
        lambda row: " → ".join(map(str, row.ranks)),
        on_paper=False,
    )
    return System("system", "System"), drawn, ranks, *others


SYSTEMS = Table(
    rows=modelled_systems,
    columns=_columns_of_systems,
    caption="Systems in each model, with intervals",
    long=LONG,
)


def columns_of_annotators(computed: Computed) -> Sequence[Column]:
    """The columns of the annotators."""
    is_scored = computed.result.is_scored
    label = "Points above the mean" if is_scored else "Reliability"
    drawn = with_interval(label, computed.parameters.confidence)
    return (
        Annotator("", "Annotator", attrgetter("name")),
        Estimated("", label, _itself, digits=2, drawn=drawn),
    )


def columns_of_style(computed: Computed) -> Sequence[Column]:
    """The columns of the properties of outputs."""
    unit = "Points" if computed.result.is_scored else "Log odds"
    drawn = with_interval(unit, computed.parameters.confidence)
    return (
        Text("", "Property of an output", lambda effect: YES_OR_NO.get(effect.name, effect.name)),
        Estimated("", f"{unit} for one more", _itself, digits=2, drawn=drawn),
    )


YES_OR_NO = {"unchanged": "unchanged (yes: 1, no: 0)"}


def _itself(effect: Effect) -> Effect:
    return effect


def headline(computed: Computed, naming: Naming) -> str:
    """The system that is first with annotators and style in the model."""
    result: AnnotatorsAndStyle = computed.result
    if not result.with_judges:
        return "There is nothing to model yet"
    model = result.with_style or result.with_judges
    before, now = _first(result.plain), _first(model)
    what = "style" if result.with_style else "annotators"
    names, names_before = ([naming.label(name) for name in place] for place in (now, before))
    if len(now) == len(result.with_judges):
        first = f"{'Both' if len(now) == 2 else 'All'} systems are equal with {what} in the model"
    elif now == before:
        first = f"{briefly(names, 'stays', 'stay')} first with {what} in the model"
        if any(_overlap(model, now[0], other.name) for other in model if other.name not in now):
            first += ", but not clearly"
    else:
        now_first = briefly(names, "is", "are")
        first = f"With {what} in the model, {now_first} first instead of {briefly(names_before)}"
        if not _is_clear(model, now[0], before[0]):
            first += ", but not clearly"
    return first


def _first(model: Sequence[Effect]) -> list[str]:
    return sorted(name for name, rank in ranks_of(model).items() if rank == 1)


def _overlap(model: Sequence[Effect], better: str, worse: str) -> bool:
    """Whether the intervals of the two systems are known to overlap."""
    effects = {effect.name: effect for effect in model}
    low, high = effects[better].low, effects[worse].high
    return low is not None and high is not None and low <= high


def _is_clear(model: Sequence[Effect], better: str, worse: str) -> bool:
    """Whether the intervals of the two systems are apart."""
    effects = {effect.name: effect for effect in model}
    low, high = effects[better].low, effects[worse].high
    return low is not None and high is not None and low > high


def _unlike_the_average(reliabilities: Sequence[Effect], naming: Naming) -> str:
    """The annotators whose interval lies above the average reliability, which is 1, or below it."""
    more = [effect for effect in reliabilities if effect.low is not None and effect.low > 1]
    less = [effect for effect in reliabilities if effect.high is not None and effect.high < 1]
    if not (more or less):
        return "No annotator is clearly more or less reliable than the average"
    verdicts = [(effects, how) for effects, how in ((more, "more"), (less, "less")) if effects]
    (first, how), *others = verdicts
    said = f"{_annotators(first, naming, len(reliabilities))} {how} reliable than the average"
    return said + "".join(f", {_annotators(effects, naming)} {how}" for effects, how in others)


def _annotators(effects: Sequence[Effect], naming: Naming, total: int | None = None) -> str:
    """One or two annotators as they are known, or how many; with the verb if these are so many of a total."""
    if len(effects) > MOST_ANNOTATORS:
        return f"{len(effects):,}" if total is None else some_of(len(effects), total, "annotator", do="are")
    keys = sorted((effect.name for effect in effects), key=naming.place)
    names = list(map(naming.annotator, keys))
    return listed(names) if total is None else listed(names, "is", "are")


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Systems, annotators and style, with intervals."""
    result: AnnotatorsAndStyle = computed.result
    systems = [_row(naming.label(effect.name), effect) for effect in result.with_style or result.with_judges]
    effects = {effect.name: effect for effect in result.judges}
    of_annotators = [_row(naming.annotator(key), effects[key]) for key in sorted(effects, key=naming.place)]
    middle = sum(value for _, value, *_ in systems) / len(systems)
    panels = [EffectsPanel("mean score" if result.is_scored else "log strength", middle, systems)]
    if of_annotators:
        title, neutral = (
            ("points more than the mean annotator", 0.0) if result.is_scored else ("reliability", 1.0)
        )
        panels.append(EffectsPanel(title, neutral, of_annotators))
    if result.style:
        unit = "points" if result.is_scored else "log odds"
        style = [_row(effect.name, effect) for effect in result.style]
        panels.append(EffectsPanel(f"weight of style, {unit} for one unit", 0.0, style))
    return effects_figure(panels, title=f"{naming.title}: annotators and style")


def _row(name: str, effect: Effect) -> tuple[str, float, float | None, float | None]:
    return name, effect.value, effect.low, effect.high


def methods(parameters: AnnotatorModelParameters, result: AnnotatorsAndStyle) -> list[str]:
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


def lead(computed: Computed, naming: Naming) -> str:
    """What style is, why strengths differ from those of *Ranking*, and what the models were fitted to."""
    result: AnnotatorsAndStyle = computed.result
    said = []
    if result.style:
        said.append(
            "*Style* is how many edits and added words an output has, and whether it leaves its sentence "
            "unchanged."
        )
    if not result.is_scored:
        said.append(
            "Log strengths have a mean of 0. Systems with the same output are not compared here, but count "
            "as tied on *Ranking*, so its Bradley-Terry strengths differ."
        )
    if result.used != result.pairs:
        said.append(f"The models were fitted to {result.used:,} of {result.pairs:,} pairs, drawn at random.")
    return " ".join(said)


def about_annotators(computed: Computed, naming: Naming) -> str:
    """Which annotators are unlike the average, and what reliability means; nothing of leniency."""
    result: AnnotatorsAndStyle = computed.result
    if result.is_scored:
        return ""
    unlike = f"{_unlike_the_average(result.judges, naming)}. " if len(result.judges) > 1 else ""
    return (
        f"{unlike}Reliability is how far answers follow the common order: 1 is the mean over all pairs; at "
        "0, an annotator answers at random. Each interval is of one annotator alone. *Quality* goes by other "
        "signs, such as controls and times."
    )


EXPLANATION = """
*Rankings*: Bradley-Terry with ties, in which each annotator has a reliability, the weight of their answers.
Only pairs of different outputs count: that systems with the same output tie says nothing about annotators.

*Scores*: a score is modelled as the sum of the system's mean, the annotator's leniency, the ease of the
sentence and chance (the many-facet model), by least squares. An annotator who saw other sentences or systems
than the rest does not shift the means. Annotators have no leniency if some share no sentence with the others.

*Style*: how much an output of equal quality gains by one more edit, by one more word than the source, or by
leaving the sentence as it was. The strength of a system with style in the model is without this gain. Style
plays no part where the texts of the outputs are not known or the judgments do not tell its effect from that
of the systems.

Small numbers are intervals, clustered by sentence.
"""


def nothing(computed: Computed) -> str:
    """Why there are no systems in the model."""
    if computed.result.plain:
        return (
            "The judgments so far do not link all systems, because some were never scored beside others. "
            "The page fills with further judgments."
        )
    return "Nothing has been judged yet. The page fills with the first judgments."


ANNOTATOR_MODEL = register(
    Analysis(
        name="judge-model",
        title="Annotators and style",
        group=Group.ANNOTATORS,
        question="Does the ranking depend on who judged, or on style?",
        defined_in="ranking.md#annotators-in-the-model",
        help="How reliable or, by scores, how lenient annotators are, and the ranking without style.",
        parameters=AnnotatorModelParameters,
        result=AnnotatorsAndStyle,
        inputs=JudgedTexts,
        columns=RATED,
        answers=AnswerKind.RATINGS,
        compute=annotators_and_style,
        resolve=resolved,
        tables={
            "judge-model": SYSTEMS,
            "annotators": Table(
                rows=lambda computed: computed.result.judges,
                columns=columns_of_annotators,
                caption=lambda computed: (
                    f"{'Leniency' if computed.result.is_scored else 'Reliability'} of annotators"
                ),
                in_files=False,
                note=about_annotators,
            ),
            "style": Table(
                rows=lambda computed: computed.result.style,
                columns=columns_of_style,
                caption="Effect of style",
                in_files=False,
            ),
        },
        figures={
            "judge-model": Figure(
                caption="Systems, annotators and style in the model",
                draw=draw,
                has_content=lambda computed: bool(computed.result.with_judges),
                of_table="judge-model",
            )
        },
        headline=headline,
        methods=methods,
        lead=lead,
        explanation=EXPLANATION,
        nothing=nothing,
        fields=("confidence", "domain", "controls", "excluded"),
    )
)
