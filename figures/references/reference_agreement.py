"""Agreement of each reference of a corpus with the others."""

from __future__ import annotations

from collections.abc import Mapping

from core.later import alt, pd
from metrics.edit_statistics import Agreement


def reference_agreement_figure(agreement: Mapping[str, Agreement], *, title: str) -> alt.LayerChart:
    """F0.5 of each reference against the others, the highest first, on the line from precision to recall.

    GMEG, Table 4, has the same numbers.
    """
    rows = [(name, each.precision, each.recall, each.f) for name, each in agreement.items()]
    scores = pd.DataFrame(rows, columns=["reference", "precision", "recall", "f"])
    scores = scores.sort_values("f", ascending=False, kind="stable")
    base = alt.Chart(scores, width=320, height=alt.Step(26))
    y = alt.Y("reference:N", title=None, sort=scores["reference"].tolist())
    domain = alt.Scale(domain=[0, 1])
    lines = base.mark_rule().encode(
        y=y, x=alt.X("precision:Q", scale=domain, title="precision (|), F0.5 (●), recall (○)"), x2="recall:Q"
    )
    precision = base.mark_tick(thickness=2).encode(y=y, x=alt.X("precision:Q", scale=domain))
    recall = base.mark_point(size=50).encode(y=y, x=alt.X("recall:Q", scale=domain))
    f = base.mark_circle(size=70, opacity=1).encode(y=y, x=alt.X("f:Q", scale=domain))
    return alt.LayerChart(layer=[lines, precision, recall, f], data=scores, title=title)
