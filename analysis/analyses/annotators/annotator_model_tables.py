"""The tables of models with annotators and style."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp
from operator import attrgetter, itemgetter

from analysis.analyses.annotators.annotators_and_style import (
    AnnotatorsAndStyle,
)
from analysis.analyses.annotators.clear_effects import corrected_p_values
from core.columns import (
    Amount,
    Annotator,
    Column,
    Count,
    Estimated,
    Number,
    PValue,
    Spread,
    System,
    Text,
)
from core.names import Naming
from core.results import Computed
from core.tables import Table
from core.wording import percent, with_interval
from ranking import Effect

UNITS = {False: "Log strength", True: "Mean score"}
"""What the models give systems, of pairs and of scores."""

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


def largest_model(result: AnnotatorsAndStyle) -> str:
    """What the largest model has beside the systems."""
    return "annotators and style" if result.with_style else "annotators"


def _columns_of_systems(computed: Computed) -> Sequence[Column]:
    """The estimate by the largest model, drawn beside that of the smallest one, and the rank by each."""
    result: AnnotatorsAndStyle = computed.result
    largest = attrgetter("with_style" if result.with_style else "with_judges")
    return (
        System("system", "System"),
        Estimated(
            "",
            "Style" if result.with_style else "Annotators",
            largest,
            heading=UNITS[result.is_scored],
            drawn=f"With {largest_model(result)} in the model; hollow: with neither"
            if result.with_style
            else "With annotators in the model; hollow: without",
            beside=lambda row: Spread(row.plain.value, None, None),
        ),
        Amount("", "Rank", lambda row: str(row.ranks[-1]), on_paper=False),
        Amount(
            "",
            "Rank with neither" if result.with_style else "Rank without",
            lambda row: str(row.ranks[0]),
            on_paper=False,
        ),
        *_of_each_model(result, on_page=False),
    )


def _of_each_model(result: AnnotatorsAndStyle, *, on_page: bool) -> list[Column]:
    """The estimates of the smaller models."""
    plain = Estimated("", "Plain", attrgetter("plain"), heading="With neither", on_page=on_page)
    if not result.with_style:
        return [plain]
    judged = attrgetter("with_judges")
    return [Estimated("", "Annotators", judged, heading="With annotators", on_page=on_page), plain]


def _columns_of_models(computed: Computed) -> Sequence[Column]:
    """The rank and the estimate by each of the three models."""
    result: AnnotatorsAndStyle = computed.result
    return (
        System("", "System", attrgetter("system")),
        Amount("", "Ranks: neither → annotators → both", lambda row: " → ".join(map(str, row.ranks))),
        Estimated("", "With both", attrgetter("with_style")),
        *_of_each_model(result, on_page=True),
    )


def about_systems(computed: Computed, naming: Naming) -> str:
    """What the numbers are."""
    result: AnnotatorsAndStyle = computed.result
    if result.is_scored:
        return "Mean scores as the average annotator would give them. Lines are intervals over sentences."
    return (
        "*Log strength*: the difference of two systems is the log odds that the one is judged better; the "
        f"mean is 0. Lines are {percent(computed.parameters.confidence)} intervals."
    )


SYSTEMS = Table(
    rows=modelled_systems,
    columns=_columns_of_systems,
    caption="Systems with annotators and style in the model, and without",
    long=LONG,
    note=about_systems,
)

MODELS = Table(
    rows=lambda computed: modelled_systems(computed) if computed.result.with_style else (),
    columns=_columns_of_models,
    caption="Systems in each of the three models",
    in_files=False,
)


def columns_of_annotators(computed: Computed) -> Sequence[Column]:
    """The columns of the annotators."""
    is_scored = computed.result.is_scored
    label = "Points above the mean" if is_scored else "Reliability"
    drawn = with_interval(label, computed.parameters.confidence)
    return (
        Annotator("", "Annotator", attrgetter("name")),
        Estimated("", label, _itself, digits=2, drawn=drawn, even=neutral(computed.result)),
        _corrected(computed.result.judges),
    )


def _corrected(effects: Sequence[Effect]) -> Column:
    """The p-value of each of these effects, by which it is clear or not."""
    p_values = corrected_p_values(effects)
    return PValue("", "p", lambda effect: p_values.get(effect.name))


def neutral(result: AnnotatorsAndStyle) -> float:
    """Leniency, or reliability, of the average annotator."""
    return 0.0 if result.is_scored else 1.0


def columns_of_style(computed: Computed) -> Sequence[Column]:
    """The columns of the properties of outputs."""
    confidence = computed.parameters.confidence
    name = Text("", "Property of an output", one_more)
    corrected = _corrected(computed.result.style)
    if computed.result.is_scored:
        drawn = with_interval("Points gained", confidence)
        return name, Estimated("", "Points", _itself, digits=2, drawn=drawn, even=0.0), corrected
    drawn = with_interval("How often it is judged better", confidence)
    return (
        name,
        Estimated("", "Better", _preferred, percent_digits=0, drawn=drawn, even=0.5),
        Number("", "Log odds", attrgetter("value"), digits=2, is_aside=True),
        corrected,
    )


ONE_MORE = {
    "edits": "one more edit",
    "words added": "one more word added",
    "unchanged": "leaving the sentence unchanged",
}
"""What the effects of the usual properties of outputs are of."""


def one_more(effect: Effect) -> str:
    """What the effect of a property is of, in words."""
    return ONE_MORE.get(effect.name, f"one more {effect.name}")


def _preferred(effect: Effect) -> Spread:
    """How often the one of two equal outputs is judged better that has one more, without ties."""
    low, high = (None if end is None else _chance(end) for end in (effect.low, effect.high))
    return Spread(_chance(effect.value), low, high)


def _chance(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))


def _itself(effect: Effect) -> Effect:
    return effect


def title_of_annotators(computed: Computed) -> str:
    """What the annotators have."""
    return f"{'Leniency' if computed.result.is_scored else 'Reliability'} of annotators"


ANNOTATORS = Table(
    rows=lambda computed: computed.result.judges,
    columns=columns_of_annotators,
    caption=title_of_annotators,
    in_files=False,
)

STYLE = Table(
    rows=lambda computed: computed.result.style,
    columns=columns_of_style,
    caption="Effect of style",
    in_files=False,
)
