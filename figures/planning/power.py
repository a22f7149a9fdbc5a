"""Share of campaigns that separate two neighbours, by number of judgments."""

from __future__ import annotations

from core.later import alt, pd
from ranking import Plan
from ranking.planning.simulation import POWER

WIDTH, HEIGHT = 460, 240


def power_figure(plan: Plan, *, title: str) -> alt.LayerChart:
    """A line, with the number of judgments that separates them in four of five campaigns."""
    frame = pd.DataFrame({"judgments": plan.judgments, "power": plan.power})
    x = alt.X("judgments:Q", title="judgments", scale=alt.Scale(zero=True), axis=alt.Axis(format=",d"))
    y = alt.Y(
        "power:Q",
        title="campaigns that separate two neighbours",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format="%"),
    )
    base = alt.Chart(frame, width=WIDTH, height=HEIGHT)
    needed = base.mark_rule(strokeDash=[4, 4], strokeWidth=1)
    return alt.LayerChart(
        layer=[
            base.mark_line().encode(x=x, y=y),
            needed.encode(x=alt.XDatum(plan.needed)),
            needed.encode(y=alt.YDatum(POWER)),
            alt.Chart(pd.DataFrame({"judgments": [plan.needed], "text": [f"{plan.needed:,} judgments"]}))
            .mark_text(align="left", dx=6, dy=14)
            .encode(x=x, y=alt.YDatum(POWER), text="text:N"),
        ],
        data=frame,
        title=title,
    )
