"""Scales: how good systems are on each scale, and how far annotators agree on it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter, itemgetter

from analysis.analyses.base import Analysis, Group, register, stated, with_controls
from analysis.analyses.from_judgments import FromAnswers
from analysis.analyses.judgment_inputs import Judgments
from analysis.analyses.leading import clearly_leading
from analysis.analyses.resampling import (
    confidence_of_intervals,
    replicates_of_intervals,
    seed_of_everything,
    small_intervals,
)
from analysis.analyses.systems.ranking_headline import NO_SYSTEMS
from core.columns import Count, Estimated, Number, Share, Spread, System, Text
from core.names import Naming
from core.progress import NoProgress, Progress
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import briefly, literal, some_of, whole_percent
from figures.drawing import Chart
from figures.panels import Dot, panels_figure
from formats.snapshot.vocabulary import AnswerKind
from ranking import Unit, agreement_on_scales, mean_intervals, scales_compared, system_means
from ranking.agreement.scales import ScaleAgreement, ScalePair
from ranking.judgments.scales import by_scale
from ranking.judgments.snapshot import SCORING_COLUMNS


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalesParameters(FromAnswers):
    """Options. Attributes: see each parameter's help."""

    controls: bool = with_controls()
    replicates: int = replicates_of_intervals(minimum=1)
    confidence: float = confidence_of_intervals()
    seed: int = seed_of_everything()


@dataclass(frozen=True, slots=True)
class OnScale:
    """A system on a scale.

    Attributes:
        scale: name of the scale.
        system: name of the system.
        score: the mean of its sentences' mean points; None if none of its outputs has one.
        low: lower end of its interval; None if there is none.
        high: upper end.
        sentences: number of sentences in the mean.
        ratings: number of points.
        reason: why there is no score or no interval; None if there are both.
    """

    scale: str
    system: str
    score: float | None
    low: float | None
    high: float | None
    sentences: int
    ratings: int
    reason: str | None

    @property
    def mean(self) -> Spread:
        """The score with its interval."""
        return Spread(self.score, self.low, self.high, self.reason)


@dataclass(frozen=True, slots=True)
class OnScales:
    """Systems and agreement on each scale.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        scales: ratings and agreement on each scale.
        systems: each system on each scale, the best of a scale first.
        pairs: how far each two scales measure the same.
    """

    signature: str
    scales: tuple[ScaleAgreement, ...]
    systems: tuple[OnScale, ...]
    pairs: tuple[ScalePair, ...]


def on_scales(
    judgments: Judgments, parameters: ScalesParameters, progress: Progress | None = None
) -> OnScales:
    """Score systems on each scale, with intervals over sentences, and compare annotators.

    Raises:
        SnapshotError: as `ranking.scored_outputs`.
    """
    progress = progress or NoProgress()
    snapshot = judgments.snapshot
    progress.begin("Comparing annotators")
    scales = agreement_on_scales(snapshot)
    progress.begin("Resampling sentences", total=len(scales))
    systems: list[OnScale] = []
    for each in scales:
        points = by_scale(snapshot, each.scale)
        intervals = mean_intervals(
            points,
            unit=Unit.SENTENCE,
            resamples=parameters.replicates,
            confidence=parameters.confidence,
            seed=parameters.seed,
        )
        for mean in system_means(points):
            interval = intervals[mean.system]
            systems.append(
                OnScale(
                    scale=each.scale,
                    system=mean.system,
                    score=mean.score,
                    low=interval.low,
                    high=interval.high,
                    sentences=mean.sentences,
                    ratings=mean.ratings,
                    reason=mean.reason or interval.reason,
                )
            )
        progress.advance(1)
    return OnScales(
        signature=judgments.signature(stated("scales", parameters)),
        scales=scales,
        systems=tuple(systems),
        pairs=tuple(scales_compared(snapshot)),
    )


def _by_system(computed: Computed) -> Iterator[tuple[str, Mapping[str, OnScale]]]:
    """Each system on the scales, the best of the first scale first."""
    systems: dict[str, dict[str, OnScale]] = {}
    for each in computed.result.systems:
        systems.setdefault(each.system, {})[each.scale] = each
    yield from systems.items()


def _on(scale: str, row: tuple[str, Mapping[str, OnScale]]) -> Spread | None:
    return row[1][scale].mean if scale in row[1] else None


SYSTEMS = Table(
    rows=_by_system,
    columns=lambda computed: (
        System("", "System", itemgetter(0)),
        *(
            Estimated("", each.scale, partial(_on, each.scale), digits=2, is_shaded=True)
            for each in computed.result.scales
        ),
    ),
    caption="Mean points of each system on each scale",
    note=lambda computed, naming: (
        f"{small_intervals(computed, 'over sentences.')} A system is *clearly* highest on a scale if its "
        "interval lies above those of all others; rank ranges by one scale are on *Ranking*, with the "
        "parameter *Scale*."
    ),
    long=Table(
        rows=lambda computed: computed.result.systems,
        columns=(
            Text("scale"),
            System("system"),
            Estimated("mean", ends=("low", "high")),
            Count("sentences"),
            Count("ratings"),
        ),
        caption="",
    ),
)

SCALES = Table(
    rows=lambda computed: computed.result.scales,
    columns=(
        Text("scale", "Scale"),
        Number(
            "ordinal",
            "α, ordinal",
            attrgetter("ordinal.value"),
            digits=2,
            note=lambda row: row.ordinal.reason or f"{row.ordinal.units:,} outputs",
        ),
        Number("interval", "α, interval", attrgetter("interval.value"), digits=2),
        Share("equal", "Equal points"),
        Count("pairs", "Comparisons"),
        Number("mean", "Mean", digits=2),
        Share("highest_share", "Highest point"),
        Count("ratings", "Ratings"),
        Count("missing", "Cannot say"),
    ),
    caption="Agreement of annotators on each scale",
)

PAIRS = Table(
    rows=lambda computed: computed.result.pairs,
    columns=(
        Text("first", "Scale"),
        Text("second", "And"),
        Number(
            "pearson",
            "Pearson’s r",
            attrgetter("pearson.value"),
            digits=2,
            note=lambda row: row.pearson.reason or "",
        ),
        Count("outputs", "Outputs", attrgetter("pearson.n")),
    ),
    caption="Correlation of outputs’ mean points on two scales",
)


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """A panel for each scale, with the systems in the order of the first one."""
    result: OnScales = computed.result
    panels: dict[str, list[Dot]] = {}
    for row in result.systems:
        if row.score is not None:
            dot = (naming.label(row.system), row.score, row.low, row.high)
            panels.setdefault(row.scale, []).append(dot)
    names = dict.fromkeys(naming.label(row.system) for row in result.systems if row.score is not None)
    title = f"{naming.title}: systems on each scale"
    return panels_figure(panels, list(names), title=title, axis="Mean point", layout=layout)


def methods(parameters: ScalesParameters, result: OnScales) -> list[str]:
    """Scales in sentences for a paper."""
    points = ", ".join(f"{each.ratings:,} on {each.scale}" for each in result.scales)
    return [
        f"Annotators gave points on scales: {points}.",
        "A system scores the mean over its sentences of the mean points of its outputs; outputs without a "
        "point are left out.",
        f"Intervals are percentiles at {100 * parameters.confidence:g} % confidence over "
        f"{parameters.replicates:,} resamples of sentences (seed {parameters.seed}).",
        "Agreement is Krippendorff’s alpha with outputs as units.",
    ]


def headline(computed: Computed, naming: Naming) -> str:
    """Which system has the highest mean on most scales, and on which of them clearly."""
    result: OnScales = computed.result
    if not result.scales:
        return "No output has been rated on a scale yet"
    means = {each.scale: _means(result, each.scale, naming) for each in result.scales}
    highest = [tuple(names) for each in means.values() if (names := _highest(each))]
    if not highest:
        return "No system has points on a scale"
    [(best, times)] = Counter(highest).most_common(1)
    said = briefly([naming.label(name) for name in best], "has the highest mean", "have the highest mean")
    clear = [scale for scale, of in means.items() if len(of) > 1 and clearly_leading(of) == [best[0]]]
    if len(best) > 1 or all(len(each) < 2 for each in means.values()):
        where = ""
    elif len(clear) == times:
        where = ", clearly"
    else:
        where = f", clearly only on {briefly(clear)}" if clear else ", but not clearly"
    return f"{said} on {some_of(times, len(means), 'scale')}{where}"


def _means(result: OnScales, scale: str, naming: Naming) -> dict[str, Spread]:
    """The mean of each system on a scale, without source, references and controls."""
    return {
        each.system: each.mean
        for each in result.systems
        if each.scale == scale and each.score is not None and naming.roles.get(each.system) not in NO_SYSTEMS
    }


def _highest(means: Mapping[str, Spread]) -> list[str]:
    values = {name: each.value for name, each in means.items() if each.value is not None}
    return [name for name, value in values.items() if value == max(values.values())]


def lead(computed: Computed, naming: Naming) -> str:
    """How far annotators agree, whether a scale is used up, and whether all measure different things."""
    result: OnScales = computed.result
    said = []
    known = {each.scale: each.ordinal.value for each in result.scales if each.ordinal.value is not None}
    if known:
        least, most = min(known, key=lambda name: known[name]), max(known, key=lambda name: known[name])
        of_most = f"α = {known[most]:.2f} on {literal(most)}"
        between = of_most if least == most else f"{of_most}, {known[least]:.2f} on {literal(least)}"
        said.append(f"Annotators agree with {between}.")
    elif result.scales:
        said.append("No two annotators have rated the same output yet.")
    shares = {each.scale: each.highest_share for each in result.scales if each.highest_share is not None}
    if shares and max(shares.values()) > MOSTLY_HIGHEST:
        scale = max(shares, key=shares.__getitem__)
        said.append(
            f"{whole_percent(shares[scale])} of the points on {literal(scale)} are the highest one, so "
            "good systems are hardly told apart: a ranking, or scores from 0 to 100, would tell more."
        )
    if alike := [each for each in result.pairs if (each.pearson.value or 0) > ONE_THING]:
        pairs = "; ".join(
            f"{literal(each.first)} and {literal(each.second)} (r\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"
            f"{each.pearson.value:.2f})"
            for each in alike
        )
        said.append(f"Scales that correlate by more than {ONE_THING} may measure one thing: {pairs}.")
    return " ".join(said)


MOSTLY_HIGHEST = 0.7
"""Share of the highest point from which the page says that a scale saturates."""

ONE_THING = 0.8
"""Correlation of two scales from which the page says that they may measure one thing."""

EXPLANATION = """
The score of an output on a scale is the mean of its points, and that of a system the mean over its sentences.
*Cannot say* is left out. Intervals are percentiles over resamples of sentences. Krippendorff’s α has outputs
as units; on the ordinal level only the order of points counts. *Equal points* is the share of pairs of
annotators of an output who gave the same point: it is high where nearly all points are the same, even if α
is near 0. The source, if it is among the systems, shows how carefully people read: unchanged sentences keep
their meaning.
"""

SCALES_ANALYSIS = register(
    Analysis(
        name="scales",
        title="Scales",
        group=Group.SYSTEMS,
        question="How good are systems on each scale, and do annotators agree?",
        defined_in="ranking.md#scales",
        help="Mean points of systems on each scale with intervals, agreement of annotators, and how far "
        "scales measure different things.",
        parameters=ScalesParameters,
        result=OnScales,
        inputs=Judgments,
        columns=(*SCORING_COLUMNS, "rank", "rating_details"),
        answers=AnswerKind.SCALES,
        compute=on_scales,
        tables={"systems": SYSTEMS, "scales": SCALES, "pairs": PAIRS},
        figures={
            "systems": Figure(
                caption="Mean points of each system on each scale",
                draw=draw,
                has_content=lambda computed: any(row.score is not None for row in computed.result.systems),
                of_table="systems",
            )
        },
        headline=headline,
        lead=lead,
        methods=methods,
        sections=(
            Section(title="Agreement of annotators", tables=("scales",)),
            Section(title="How alike the scales are", tables=("pairs",)),
        ),
        explanation=EXPLANATION,
        nothing="There are no points on scales. Campaigns with the protocol Scales collect them.",
        fields=("confidence", "domain", "controls", "excluded"),
    )
)
