"""The figure of judges beside people."""

from analysis.analyses.annotators.judge_agreement import (
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
from core.wording import with_interval
from figures.annotators.machine_judges import Ceiling, DrawnJudge, machine_judges_figure
from figures.drawing import Chart


def draw_judges(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Each judge with its agreement and how many annotators it is as good as."""
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


FIGURES = {
    "judges": Figure(
        caption="Agreement of judges with people",
        draw=draw_judges,
        has_content=lambda computed: any(
            share_of_judge(each.accuracy, computed.chosen["measure"]).value is not None
            for each in computed.result.judges
        ),
        of_table="judges",
    ),
}
