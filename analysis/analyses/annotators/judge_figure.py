"""The figure of judges beside people."""

from analysis.analyses.annotators.judge_agreement import (
    MEANINGS,
    MEASURES,
    in_order,
    of_people,
    share_of_judge,
)
from analysis.analyses.annotators.judge_tables import beaten_of
from analysis.analyses.annotators.judges_compared import JudgeKind
from analysis.analyses.metric_titles import title_of_metric
from core.names import Naming
from core.results import Computed, Figure, Layout
from core.wording import percent, with_interval
from figures.annotators.machine_judges import Ceiling, DrawnJudge, machine_judges_figure
from figures.drawing import Chart


def draw_judges(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Each judge with its agreement and how many annotators it beats."""
    measure = computed.chosen["measure"]
    drawn = []
    for each in in_order(computed):
        share = share_of_judge(each.accuracy, measure)
        if share.value is not None:
            drawn.append(
                DrawnJudge(
                    title_of_metric(each.name),
                    each.kind.value,
                    share.value,
                    share.low,
                    share.high,
                    each.kind is not JudgeKind.MACHINE,
                    beaten_of(each.test) or "–",
                )
            )
    people = of_people(computed)
    ceiling = None
    if people is not None and people.value is not None:
        ceiling = Ceiling(people.value, people.low, people.high)
    return machine_judges_figure(
        drawn,
        ceiling,
        title=f"{naming.title}: agreement with people",
        name=with_interval(MEASURES[measure][0], computed.parameters.confidence),
        layout=layout,
    )


def _note(computed: Computed, naming: Naming) -> str:
    measured, ceiling = MEANINGS[computed.chosen["measure"]], _about_ceiling(computed)
    has_machines = any(each.kind is JudgeKind.MACHINE for each in computed.result.judges)
    dots = " Machines have full dots." if has_machines else ""
    has_untested = any(each.test.winning_rate is None for each in computed.result.judges)
    untested = " – means not tested: *Each judge in numbers* says why." if has_untested else ""
    return (
        f"{measured}.{ceiling}{dots} *Beats*: of the annotators tested, how many the "
        f"judge beats in the alternative annotator test with epsilon = {computed.parameters.epsilon:g}."
        f"{untested}"
    )


def _about_ceiling(computed: Computed) -> str:
    """What the band or the line of people is; empty where people did not judge the same."""
    people = of_people(computed)
    if people is None or people.value is None:
        return ""
    ceiling = "the agreement of people among themselves, which is as much as a judge can be asked for"
    if people.low is None:
        return f" The line is {ceiling}."
    return f" The band is {ceiling}, with its {percent(computed.parameters.confidence)} interval."


FIGURES = {
    "judges": Figure(
        caption="Agreement of judges with people",
        draw=draw_judges,
        has_content=lambda computed: any(
            share_of_judge(each.accuracy, computed.chosen["measure"]).value is not None
            for each in computed.result.judges
        ),
        note=_note,
    ),
}
