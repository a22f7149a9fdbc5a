"""Scales: how good systems are on each scale, and how far annotators agree on it."""

from dataclasses import dataclass
from operator import attrgetter

from analysis.analyses.base import Analysis, Group, register, stated, with_controls
from analysis.analyses.from_judgments import FromAnswers
from analysis.analyses.judgment_inputs import Judgments
from analysis.analyses.resampling import confidence_of_intervals, replicates_of_intervals, seed_of_everything
from core.columns import Count, Estimated, Number, Share, Spread, System, Text
from core.names import Naming
from core.progress import NoProgress, Progress
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import literal, whole_percent
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


SYSTEMS = Table(
    rows=lambda computed: computed.result.systems,
    columns=(
        Text("scale", "Scale"),
        System("system", "System"),
        Estimated(
            "mean", "Mean", digits=2, ends=("low", "high"), ends_on_paper=("from", "to"), drawn="Interval"
        ),
        Count("sentences", "Sentences"),
        Count("ratings", "Ratings"),
    ),
    caption="Mean points of each system on each scale",
    note="Rank ranges and clusters by one scale are on *Ranking*, with the parameter *Scale*.",
)

SCALES = Table(
    rows=lambda computed: computed.result.scales,
    columns=(
        Text("scale", "Scale"),
        Count("ratings", "Ratings"),
        Count("missing", "Cannot say"),
        Number("mean", "Mean", digits=2),
        Share("highest_share", "Highest point"),
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
    """On which scale annotators agree most, and on which least."""
    result: OnScales = computed.result
    known = {each.scale: each.ordinal.value for each in result.scales if each.ordinal.value is not None}
    if not result.scales:
        return "No output has been rated on a scale yet"
    if not known:
        return "No two annotators have rated the same output yet"
    least, most = min(known, key=lambda name: known[name]), max(known, key=lambda name: known[name])
    if least == most:
        return f"Annotators agree on {most} with α = {known[most]:.2f}"
    return (
        f"Annotators agree most on {most} (α = {known[most]:.2f}) "
        f"and least on {least} (α = {known[least]:.2f})"
    )


def lead(computed: Computed, naming: Naming) -> str:
    """Whether a scale is used up, and whether all measure different things."""
    result: OnScales = computed.result
    said = []
    shares = {each.scale: each.highest_share for each in result.scales if each.highest_share is not None}
    if shares and max(shares.values()) > MOSTLY_HIGHEST:
        scale = max(shares, key=shares.__getitem__)
        said.append(
            f"{whole_percent(shares[scale])} of the points on {literal(scale)} are the highest one, so "
            "good systems are hardly told apart: a ranking, or scores from 0 to 100, would tell more."
        )
    if alike := [each for each in result.pairs if (each.pearson.value or 0) > ONE_THING]:
        pairs = "; ".join(
            f"{literal(each.first)} and {literal(each.second)} (r = {each.pearson.value:.2f})"
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
            )
        },
        headline=headline,
        lead=lead,
        methods=methods,
        sections=(
            Section(title="Systems by scale", figures=("systems",)),
            Section(title="Points of systems in numbers", tables=("systems",), is_folded=True),
            Section(title="How alike the scales are", tables=("pairs",)),
        ),
        explanation=EXPLANATION,
        nothing="There are no points on scales. Campaigns with the protocol Scales collect them.",
        fields=("confidence", "domain", "controls", "excluded"),
    )
)
