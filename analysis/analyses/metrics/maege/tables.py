"""Tables of MAEGE."""

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from operator import itemgetter
from typing import Any, ClassVar, NamedTuple

from analysis.analyses.metric_titles import MetricName, title_of_metric
from analysis.analyses.metrics.maege.published import TABLE_2, Row
from analysis.analyses.metrics.maege.verdict import Judged, in_order
from core.columns import UNKNOWN, Amount, Code, Column, Count, Number, Text
from core.latex import number
from core.marks import Mark, Scale, scale_of
from core.names import Naming
from core.results import Computed
from core.tables import Table
from core.wording import counted
from metrics.meta_evaluation.maege import MetricVerdict, SeedEstimate


@dataclass(frozen=True, slots=True)
class OverSeeds(Column):
    """A `SeedEstimate` with the interval of the mean: as the note if it is drawn, else as the hint.

    Attributes:
        has_spread: whether LaTeX has the standard deviation, and pages the interval.
        drawn: heading of one more column on pages, which draws mean and interval; empty for none.
    """

    _: KW_ONLY
    has_spread: bool = True
    drawn: str = ""

    css: ClassVar[str] = "number"

    interval: ClassVar[str] = "Interval"

    def note_of(self, row: object) -> str:
        """The interval, if it is drawn."""
        return self._interval(row) if self.drawn else ""

    def scale(self, rows: Sequence[object]) -> Scale | None:
        """The scale of means and intervals, with a line at 0; None if the column is not drawn."""
        estimates = [self.of(row) for row in rows] if self.drawn else []
        ends = [end for each in estimates for end in (each.value, each.low, each.high) if end is not None]
        return scale_of(ends, even=0.0) if ends else None

    def mark(self, row: object, scale: Scale) -> Mark | None:
        """Mean and interval; None without a mean."""
        estimate = self.of(row)
        if estimate.value is None:
            return None
        return Mark(scale, estimate.value, estimate.low, estimate.high, is_hollow=False)

    def hint_of(self, row: object) -> str:
        """Why figures are missing, or the interval, if it is not drawn."""
        return self.of(row).reason or ("" if self.drawn else self._interval(row))

    def _interval(self, row: object) -> str:
        return (interval_of(self.of(row)) or "") if self.has_spread else ""

    def text(self, value: SeedEstimate, naming: Naming) -> str:
        """The mean."""
        return UNKNOWN if value.value is None else f"{value.value:.3f}"

    def paper_headings(self) -> tuple[str, ...]:
        """Mean and standard deviation."""
        return (self.label, "sd") if self.has_spread else (self.label,)

    def paper_cells(self, value: SeedEstimate, naming: Naming) -> tuple[str, ...]:
        """Mean and standard deviation."""
        return (number(value.value, 3), *([number(value.sd, 3)] if self.has_spread else []))

    def names(self) -> tuple[str, ...]:
        """All figures."""
        return tuple(f"{self.name}{end}" for end in ("", "_sd", "_low", "_high", "_p", "_reason"))

    def values(self, value: SeedEstimate) -> tuple[Any, ...]:
        """All figures."""
        return value.value, value.sd, value.low, value.high, value.p_value, value.reason


def interval_of(estimate: SeedEstimate) -> str | None:
    """The interval of the mean; None without one."""
    return None if estimate.low is None else f"{estimate.low:z.2f} to {estimate.high:z.2f}"


def _verdict_of(row: Judged, name: str) -> Any:
    return getattr(row[1], name)


def _interval_in(row: Judged, name: str) -> str | None:
    return interval_of(_verdict_of(row, name))


def _mean_of(row: Judged, name: str) -> float | None:
    estimate: SeedEstimate = getattr(row[1], name)
    return estimate.value


def _published(name: str) -> Row | None:
    return TABLE_2.get(name.partition(":")[0])


def _paper_of(row: Judged, name: str) -> float | None:
    return getattr(_published(row[0]), name, None)


CORRELATIONS = {"spearman": "ρ, corpora", "pearson": "r, sentences", "tau": "τ, pairs"}
"""Heading of each coefficient in the paper, by attribute of a verdict."""


def _on_one_line(heading: str) -> str:
    return heading.replace(" ", "\N{NO-BREAK SPACE}")


def _with_interval(name: str, label: str) -> tuple[Column, Column]:
    """A coefficient, and for terminals its interval, which pages have as a hint."""
    return (
        OverSeeds(name, label, partial(_verdict_of, name=name), heading=_on_one_line(CORRELATIONS[name])),
        Amount(
            "",
            "Interval",
            partial(_interval_in, name=name),
            on_page=False,
            is_printed=True,
            on_paper=False,
        ),
    )


FURTHER: tuple[Column, ...] = (
    *_with_interval("pearson", "Pearson"),
    *_with_interval("tau", "Tau"),
    OverSeeds("tau_b", "Tau-b", partial(_verdict_of, name="tau_b"), heading="τ-b", has_spread=False),
)
"""The coefficients beside ρ."""


def about_correlations(computed: Computed, naming: Naming) -> str:
    """What ρ and its intervals are."""
    seeds = counted(computed.parameters.seeds, "draw")
    clearly = "" if computed.result.circular else " *Clearly* above others: the intervals do not overlap."
    return (
        "*ρ*: rank correlation of the scores of eleven corpora with how far these are corrected. Lines are "
        f"intervals of the mean over {seeds} from the same sentences; other sentences may give other "
        f"values.{clearly}"
    )


def _name(row: Judged) -> str:
    """How many corrections a metric did not score, beside its name."""
    return f"{row[1].not_scored:,} not scored" if row[1].not_scored else ""


CORRELATED = Table(
    rows=lambda computed: in_order(computed.result),
    columns=(
        MetricName("metric", "Metric", itemgetter(0), note=_name),
        OverSeeds(
            "spearman",
            "Spearman",
            partial(_verdict_of, name="spearman"),
            heading="ρ",
            drawn="ρ with 95\N{NO-BREAK SPACE}% interval",
        ),
        *(replace(column, on_page=False, is_printed=False) for column in FURTHER),
        *(Number(f"paper_{name}", value=partial(_paper_of, name=name)) for name in CORRELATIONS),
        Number("tied", "Tied pairs", partial(_verdict_of, name="tied"), on_page=False, on_paper=False),
        Count("not_scored", value=partial(_verdict_of, name="not_scored")),
        Text("metric_signature", value=partial(_verdict_of, name="signature")),
    ),
    caption="Agreement of each metric with the order of corrections",
    note=about_correlations,
)

COEFFICIENTS = Table(
    rows=lambda computed: in_order(computed.result),
    columns=(
        MetricName("", "Metric", itemgetter(0)),
        *(replace(column, name="") for column in FURTHER),
        Number("", "Tied pairs", partial(_verdict_of, name="tied")),
    ),
    caption="Agreement by sentence and by pair",
    in_files=False,
    note="*r, sentences*: correlation of a correction’s score with how complete it is. *τ, pairs*: of two "
    "corrections of a chain, how often the better one has the higher score, from −1 to 1; ties count as "
    "agreement in τ, and not in τ-b. *Tied pairs*: share of the pairs with equal scores.",
)


BESIDE_PAPER = Table(
    rows=lambda computed: [row for row in in_order(computed.result) if _published(row[0]) is not None],
    columns=(
        MetricName("", "Metric", itemgetter(0)),
        *(
            column
            for name, heading in CORRELATIONS.items()
            for column in (
                Number("", heading, partial(_mean_of, name=name)),
                Number("", f"{heading} (paper)", partial(_paper_of, name=name), heading="paper"),
            )
        ),
    ),
    caption="Beside Table 2 of Choshen and Abend (2018)",
    in_files=False,
    note="The paper’s figures are of CoNLL-2014 and come from the options of the released code.",
)


CORPORA = Table(
    rows=lambda computed: [
        (mean, *both)
        for mean, both in enumerate(
            zip(computed.result.corpora.expected, computed.result.corpora.drawn, strict=True)
        )
    ],
    columns=(
        Count("corpus", "Corpus M", itemgetter(0)),
        Number("expected", "Expected", itemgetter(1), digits=2),
        Number("drawn", "Drawn", itemgetter(2), digits=2),
    ),
    caption="Corrections in a sentence",
    note="A sentence has no more corrections than its annotator made, and numbers of trials are whole, so "
    "the means stay below M.",
)


class Change(Number):
    """A change of a score: in thousandths on pages and in terminals."""

    def text(self, value: float, naming: Naming) -> str:
        """The change in thousandths."""
        return f"{1000 * value:.1f}"


def _change_of(row: tuple[str, int], verdict: MetricVerdict) -> float | None:
    return verdict.changes[row[0]].value


class ChangeRow(NamedTuple):
    """A row of the CSV. Attributes: see `metrics.meta_evaluation.maege.TypeChange`."""

    type: str
    edits: int
    metric: str
    change: float | None
    low: float | None
    high: float | None
    scored: int
    reason: str | None


def _changes(computed: Computed) -> Iterator[ChangeRow]:
    for kind, edits in computed.result.types.items():
        for name, judged in in_order(computed.result):
            each = judged.changes[kind]
            yield ChangeRow(kind, edits, name, each.value, each.low, each.high, each.edits, each.reason)


TYPES = Table(
    rows=lambda computed: computed.result.types.items(),
    columns=lambda computed: (
        Code("", "Type", itemgetter(0)),
        Count("", "Edits", itemgetter(1)),
        *(
            Change("", title_of_metric(name), partial(_change_of, verdict=judged), digits=4)
            for name, judged in in_order(computed.result)
        ),
    ),
    caption="Change of score by type of edit, in thousandths",
    long=Table(
        rows=_changes,
        columns=(
            *(Text("type"), Count("edits"), Text("metric"), Number("change"), Number("low")),
            *(Number("high"), Count("scored"), Text("reason")),
        ),
        caption="Change of score by type of edit and metric",
    ),
)
