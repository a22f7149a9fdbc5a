"""The page of judges and style: tables, figure and files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import get_text_list

from analysis.analyses.judge_model import JUDGE_MODEL, JudgesAndStyle
from analysis.pages.annotators import judges_of
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import figure_view, table_view
from analysis.pages.shared_files import Figure, ResultTable, SharedFiles, single_figure, single_table
from analysis.pages.tables import in_order
from analysis.runs.requests import Request
from annotate.judgments.queries import labels_of
from annotate.models import User
from annotate.web.parameter_forms import query_of
from core.formulas import guarded
from core.latex import escaped, number, tabular
from core.names import Judge, Naming
from core.results import Computed
from figures.drawing import Chart
from figures.effects import EffectsPanel, effects_figure
from ranking import Effect

FIELDS = ("confidence", "controls", "excluded")
DIGITS = 3
"""Systems that differ by less are equal: a fit is not more exact."""

COLUMNS = ("model", "kind", "name", "value", "low", "high", "pairs", "signature")


@dataclass(frozen=True, slots=True)
class ShownSystem:
    """A system in the three models.

    Attributes:
        system: its name.
        plain: with all judges alike.
        with_judges: with the judges in the model.
        with_style: with style too; None where style is not known.
        ranks: its rank in each of these models.
    """

    system: str
    plain: Effect
    with_judges: Effect
    with_style: Effect | None
    ranks: Sequence[int]


def context(request: Request, result: JudgesAndStyle, user: User) -> dict[str, Any]:
    """Systems in each model, judges and properties."""
    shown = in_order(
        {judge.name: judge for judge in result.judges},
        judges_of(request.campaign, may_see_names=user.may_see_names),
    )
    effects = {judge.name: judge for judge in result.judges}
    labels = labels_of(request.campaign.corpus)
    return {
        "systems": _systems(result),
        "judges": [(judge, effects[judge.key]) for judge in shown],
        "labels": labels,
        "headline": headline(result, labels, {judge.key: judge for judge in shown}),
        "confidence": round(100 * request.parameters.confidence),
        "query": query_of(request.parameters),
    }


def _systems(result: JudgesAndStyle) -> list[ShownSystem]:
    ranks = [ranks_of(model) for model in (result.plain, result.with_judges, result.with_style) if model]
    plain = {effect.name: effect for effect in result.plain}
    styled = {effect.name: effect for effect in result.with_style}
    return [
        ShownSystem(
            system=effect.name,
            plain=plain[effect.name],
            with_judges=effect,
            with_style=styled.get(effect.name),
            ranks=[of_model[effect.name] for of_model in ranks],
        )
        for effect in result.with_judges
    ]


def ranks_of(model: Sequence[Effect]) -> dict[str, int]:
    """The rank of each system; those that are equal share the best one."""
    values = [round(effect.value, DIGITS) for effect in model]
    return {
        effect.name: 1 + sum(other > value for other in values)
        for effect, value in zip(model, values, strict=True)
    }


def headline(result: JudgesAndStyle, labels: Mapping[str, str], judges: Mapping[str, Judge]) -> str:
    """The result in a sentence."""
    if not result.with_judges:
        return "There is nothing to model yet."
    model = result.with_style or result.with_judges
    before, now = _first(result.plain), _first(model)
    what = "style" if result.with_style else "annotators"
    names, names_before = (
        get_text_list([labels.get(name, name) for name in place], "and") for place in (now, before)
    )
    if len(now) == len(result.with_judges):
        first = f"All systems are equal with {what} in the model"
    elif now == before:
        first = f"{names} {'stays' if len(now) == 1 else 'stay'} first with {what} in the model"
    else:
        verb = "is" if len(now) == 1 else "are"
        first = f"With {what} in the model, {names} {verb} first instead of {names_before}"
        if not _is_clear(model, now[0], before[0]):
            first += ", but not clearly"
    if result.is_scored or len(result.judges) < 2:
        return first
    return f"{first}; {_least_reliable(result.judges, judges)}"


def _first(model: Sequence[Effect]) -> list[str]:
    return sorted(name for name, rank in ranks_of(model).items() if rank == 1)


def _is_clear(model: Sequence[Effect], better: str, worse: str) -> bool:
    """Whether the intervals of the two systems are apart."""
    effects = {effect.name: effect for effect in model}
    low, high = effects[better].low, effects[worse].high
    return low is not None and high is not None and low > high


def _least_reliable(reliabilities: Sequence[Effect], judges: Mapping[str, Judge]) -> str:
    """The annotators whose interval lies below the average reliability, which is 1."""
    below = [effect for effect in reliabilities if effect.high is not None and effect.high < 1]
    match below:
        case []:
            return "no annotator is clearly less reliable than the average"
        case [only]:
            return f"{judges[only.name].known_as} is less reliable than the average"
        case _:
            return f"{len(below)} annotators are less reliable than the average"


def chart(result: JudgesAndStyle, naming: Naming) -> Chart | None:
    """Systems, judges and style, with intervals; None if nothing was modelled."""
    if not result.with_judges:
        return None
    systems = [_row(naming.label(effect.name), effect) for effect in result.with_style or result.with_judges]
    effects = {effect.name: effect for effect in result.judges}
    of_judges = [_row(judge.known_as, effects[judge.key]) for judge in in_order(effects, naming.judges)]
    middle = sum(value for _, value, *_ in systems) / len(systems)
    panels = [EffectsPanel("mean score" if result.is_scored else "log strength", middle, systems)]
    if of_judges:
        title, neutral = (
            ("points more than the mean annotator", 0.0) if result.is_scored else ("reliability", 1.0)
        )
        panels.append(EffectsPanel(title, neutral, of_judges))
    if result.style:
        unit = "points" if result.is_scored else "log odds"
        style = [_row(effect.name, effect) for effect in result.style]
        panels.append(EffectsPanel(f"weight of style, {unit} for one unit", 0.0, style))
    return effects_figure(panels, title=f"{naming.title}: judges and style")


def _row(name: str, effect: Effect) -> tuple[str, float, float | None, float | None]:
    return name, effect.value, effect.low, effect.high


def figures(shown: Computed, naming: Naming) -> dict[str, Figure]:
    """The figure of a published result."""
    caption = "Systems, annotators and style in the model"
    return single_figure("judge-model", caption, chart(shown.result, naming), shown.result.signature)


def _rows(result: JudgesAndStyle) -> Iterator[Sequence[object]]:
    for model, kind, effects in (
        ("plain", "system", result.plain),
        ("judges", "system", result.with_judges),
        ("judges", "judge", result.judges),
        ("style", "system", result.with_style),
        ("style", "property", result.style),
    ):
        for effect in effects:
            yield [
                model,
                kind,
                guarded(effect.name),
                effect.value,
                effect.low,
                effect.high,
                effect.pairs,
                result.signature,
            ]


def _latex(result: JudgesAndStyle) -> Iterator[str]:
    rows = (
        [
            escaped(row.system),
            *(
                number(effect.value if effect else None, 3)
                for effect in (row.plain, row.with_judges, row.with_style)
            ),
        ]
        for row in _systems(result)
    )
    return tabular(["System", "Plain", "Judges", "Style"], rows, comments=[result.signature])


TABLE = ResultTable(COLUMNS, _rows, _latex)

register_page(
    AnalysisPage(
        JUDGE_MODEL.name,
        "analysis/judge_model.html",
        context,
        fields=FIELDS,
        files=SharedFiles(
            lambda shown, naming: headline(shown.result, naming.labels, naming.judges),
            figures,
            single_table("judge-model", TABLE),
        ),
    )
)

effects_image = figure_view(JUDGE_MODEL, figures, "judge-model")
table = table_view(JUDGE_MODEL, TABLE, name="judges-and-style")
