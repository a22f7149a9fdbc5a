"""Analysis of the reliability or leniency of annotators, and of the style of outputs."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.analyses.annotators.annotator_model_tables import (
    ANNOTATORS,
    MODELS,
    STYLE,
    SYSTEMS,
    largest_model,
    modelled_systems,
    neutral,
    one_more,
    ranks_of,
    title_of_annotators,
)
from analysis.analyses.annotators.annotators_and_style import (
    AnnotatorModelParameters,
    AnnotatorsAndStyle,
    annotators_and_style,
    resolved,
)
from analysis.analyses.annotators.clear_effects import clear_effects
from analysis.analyses.base import Analysis, Group, register
from analysis.analyses.judgment_inputs import JudgedTexts
from analysis.analyses.systems.ranking import RATED
from analysis.analyses.systems.ranking_headline import NO_SYSTEMS
from core.names import Naming
from core.results import Computed, Figure, Layout, Section
from core.wording import beginning, briefly, listed, literal, some_of
from figures.annotators.effects import EffectsPanel, effects_figure
from figures.drawing import Chart
from formats.snapshot.vocabulary import AnswerKind
from ranking import Effect

MOST_ANNOTATORS = 2
"""Annotators that a heading names; it counts more."""


def about_style(computed: Computed, naming: Naming) -> str:
    """Which properties clearly count, and how to read the table."""
    result: AnnotatorsAndStyle = computed.result
    clear = clear_effects(result.style, 0.0, computed.parameters.confidence)
    said = [
        f"{how} by {listed(names)}"
        for wanted, how in ((1, "gains"), (-1, "loses"))
        if (names := [one_more(effect) for effect, sign in clear if sign == wanted])
    ]
    finding = (
        f"At equal quality, an output clearly {' and '.join(said)}."
        if said
        else "No property clearly counts."
    )
    of_two = "" if result.is_scored else " Ties are left out. Dashed: neither is judged better more often."
    return f"**{finding}**{of_two} {CLEARLY}"


CLEARLY = (
    "*Clearly*: by *p*, corrected for the number of rows (Holm). Each line is an interval of one row alone, "
    "so it may leave out the dashed line without a clear difference."
)


def headline(computed: Computed, naming: Naming) -> str:
    """The system that is first with annotators and style in the model."""
    result: AnnotatorsAndStyle = computed.result
    if not result.with_judges:
        return "There is nothing to model yet"
    model = result.with_style or result.with_judges
    before, now = _first(result.plain), _first(model)
    what = largest_model(result)
    names, names_before = ([naming.label(name) for name in place] for place in (now, before))
    if len(now) == len(result.with_judges):
        first = f"{'Both' if len(now) == 2 else 'All'} systems are equal after allowing for {what}"
    elif now == before:
        first = f"{briefly(names, 'stays', 'stay')} first after allowing for {what}"
        close = [effect.name for effect in model if effect.name not in now]
        first += _overlaps(now, [name for name in close if _overlap(model, now[0], name)], naming)
    else:
        now_first = briefly(names, "is", "are")
        first = f"After allowing for {what}, {now_first} first instead of {briefly(names_before)}"
        if _overlap(model, now[0], before[0]):
            first += _overlaps(now, before, naming)
        elif not _is_clear(model, now[0], before[0]):
            first += ", but not clearly ahead"
    return first


def _overlaps(leading: Sequence[str], others: Sequence[str], naming: Naming) -> str:
    """The end of a heading: whose intervals those of the leading systems overlap; empty without any."""
    if not others:
        return ""
    whose = "its interval overlaps" if len(leading) == 1 else "their intervals overlap"
    named = briefly(list(map(naming.label, others)))
    return f", but {whose} {'that' if len(others) == 1 else 'those'} of {named}"


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


def _unlike_the_average(result: AnnotatorsAndStyle, confidence: float, naming: Naming) -> str:
    """The annotators who are clearly more or less reliable, or lenient, than the average."""
    clear = clear_effects(result.judges, neutral(result), confidence)
    more, less = ([effect for effect, sign in clear if sign == wanted] for wanted in (1, -1))
    what = "lenient" if result.is_scored else "reliable"
    if not clear:
        return f"No annotator is clearly more or less {what} than the average"
    verdicts = [(effects, how) for effects, how in ((more, "more"), (less, "less")) if effects]
    (first, how), *others = verdicts
    said = f"{_annotators(first, naming, len(result.judges))} clearly {how} {what} than the average"
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
    """What style is, how many systems change rank, and what the models were fitted to."""
    result: AnnotatorsAndStyle = computed.result
    said = []
    if result.style:
        said.append(
            "*Style* is how many edits and added words an output has, and whether it leaves its sentence "
            "unchanged."
        )
    moved = [row.system for row in modelled_systems(computed) if row.ranks[0] != row.ranks[-1]]
    apart = [name for name in moved if naming.roles.get(name) in NO_SYSTEMS]
    total = sum(naming.roles.get(effect.name) not in NO_SYSTEMS for effect in result.with_judges)
    those = some_of(len(moved) - len(apart), total, "system")
    both = listed([beginning(those), *(literal(naming.label(name)) for name in apart)])
    has = "has" if len(moved) < 2 else "have"
    said.append(f"{both} {has} another rank than without them; where intervals overlap, that may be chance.")
    if result.used != result.pairs:
        said.append(f"The models were fitted to {result.used:,} of {result.pairs:,} pairs, drawn at random.")
    return " ".join(said) if result.with_judges else ""


def about_annotators(computed: Computed, naming: Naming) -> str:
    """Which annotators are unlike the average, and what reliability or leniency means."""
    result: AnnotatorsAndStyle = computed.result
    unlike = _unlike_the_average(result, computed.parameters.confidence, naming)
    finding = f"**{literal(unlike)}.** {CLEARLY} " if len(result.judges) > 1 else ""
    meaning = (
        "*Points above the mean*: how much more an annotator gives than the mean one for the same output."
        if result.is_scored
        else "*Reliability*: how far answers follow the common order, 1 on average and 0 at random."
    )
    return f"{finding}{meaning}"


EXPLANATION = """
*Rankings*: Bradley-Terry with ties, in which each annotator has a reliability, the weight of their answers.
Only pairs of different outputs count: that systems with the same output tie says nothing about annotators. On
*Ranking* these count as ties, so its Bradley-Terry strengths differ.

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
        help="How annotators differ, and the ranking after allowing for them and for the style of outputs.",
        parameters=AnnotatorModelParameters,
        result=AnnotatorsAndStyle,
        inputs=JudgedTexts,
        columns=RATED,
        answers=AnswerKind.RATINGS,
        compute=annotators_and_style,
        resolve=resolved,
        tables={
            "judge-model": SYSTEMS,
            "models": MODELS,
            "annotators": ANNOTATORS,
            "style": STYLE,
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
        sections=(
            Section(title="Effect of style", text=about_style, tables=("style",)),
            Section(title=title_of_annotators, text=about_annotators, tables=("annotators",)),
            Section(title="The three models", tables=("models",), is_folded=True),
        ),
        explanation=EXPLANATION,
        nothing=nothing,
        fields=("confidence", "domain", "controls", "excluded"),
    )
)
