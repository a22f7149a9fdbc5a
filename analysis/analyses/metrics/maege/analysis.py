"""MAEGE as an analysis: its finding, figures and sections."""

from collections.abc import Mapping

from analysis.analyses.base import Analysis, Chunks, Group, register
from analysis.analyses.corpus_inputs import LatticeTexts
from analysis.analyses.leading import leading
from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.leading_metrics import clearly_above
from analysis.analyses.metrics.maege.lattices import Prepared
from analysis.analyses.metrics.maege.tables import BESIDE_PAPER, COEFFICIENTS, CORPORA, CORRELATED, TYPES
from analysis.analyses.metrics.maege.verdict import (
    MaegePart,
    MaegeVerdict,
    combine,
    compute,
    in_order,
    part_sizes,
    resolved,
    too_much,
)
from core.names import Naming
from core.results import Computed, Figure, Layout, Section
from core.wording import beginning, briefly, counted, listed, literal, some_of
from figures.drawing import Chart
from figures.metrics.maege import (
    TYPES_ON_A_PHONE,
    DrawnMetric,
    correlations_figure,
    sensitivity_figure,
    sensitivity_height,
)
from metrics.meta_evaluation.maege import MaegeParameters, SeedEstimate
from metrics.untrained import SHIPPED


def headline(computed: Computed, naming: Naming) -> str:
    """The metric of the highest ρ, how many are clearly below, and those that prefer fewer corrections.

    Where the only references are the best corrections, a high ρ is almost by construction: only metrics
    that fail even so are named.
    """
    text = _highest(computed, "spearman", "ρ", " with the order of corrections")
    if not text:
        return "No metric orders the corpora"
    against = {
        title_of_metric(name): judged.spearman
        for name, judged in in_order(computed.result)
        if judged.spearman.high is not None and judged.spearman.high < 0
    }
    if computed.result.circular:
        return _falling(against, len(computed.result.metrics))
    if not against:
        return text
    return f"{text}; {briefly([*against], 'prefers', 'prefer')} corpora with fewer corrections"


def _falling(against: Mapping[str, SeedEstimate], total: int) -> str:
    """Which of so many metrics prefer corpora with fewer corrections; a single one with its ρ."""
    lower = "corpora lower the more they are corrected"
    if not against:
        none = some_of(0, total, "metric", does="clearly scores", do="clearly score")
        return f"{beginning(none)} {lower}"
    those = briefly([*against], "scores", "score")
    only = f"Of {total} metrics, only {those}" if total > len(against) else beginning(those)
    if len(against) > 1:
        return f"{only} {lower}"
    [rho] = against.values()
    return f"{only} {lower} (ρ {rho.value:.2f}, {rho.low:.2f} to {rho.high:.2f})"


def _highest(computed: Computed, coefficient: str, symbol: str, of: str = "") -> str:
    """The metric of the highest value of a coefficient, and how many are clearly below; empty without any."""
    estimates = {name: getattr(verdict, coefficient) for name, verdict in computed.result.metrics.items()}
    near = leading(estimates)
    if not near:
        return ""
    highest, *others = near
    value = f"{near[highest]:.2f}"
    known = [name for name, estimate in estimates.items() if estimate.value is not None]
    if len(known) == 1:
        return f"{title_of_metric(highest)} has {symbol} = {value}{of}"
    if estimates[highest].low is None:
        those = briefly([title_of_metric(name) for name in near], "has the highest", "have the highest")
        return f"{those} {symbol}{of} ({value}), in a single draw"
    return (
        f"{title_of_metric(highest)} has the highest {symbol}{of} ({value}), {clearly_above(others, known)}"
    )


def lead(computed: Computed, naming: Naming) -> str:
    """What metrics should do, what a reader may conclude, and what references they compare with."""
    order = (
        "Every edit of an annotator makes a text better, so a corpus with more of them should score higher: "
        "right of the dashed line, a metric scores it higher, left of it lower."
    )
    if not computed.result.circular:
        return order
    return (
        f"{order} **A high ρ says little here**: the only references are the fully corrected texts "
        "themselves, so metrics that compare with references follow the order almost by construction. Import "
        "further references as texts to compare them."
    )


def _chosen(computed: Computed) -> str:
    """Which metrics are tried, and why not others, in a sentence."""
    tried = counted(len(computed.result.metrics), "metric")
    if computed.parameters.metric != MaegeParameters().metric:
        return f"{tried} tried."
    return (
        f"{tried} of {len(SHIPPED)}: M2, ERRANT, and those of MAEGE (Choshen and Abend 2018) that need "
        "neither a parser nor a grammar checker; each other one takes minutes, and *Change settings* adds it."
    )


def about_coefficients(computed: Computed, naming: Naming) -> str:
    """The metrics of the highest values of the other two coefficients; empty where these are circular."""
    by_r, by_tau = _highest(computed, "pearson", "r"), _highest(computed, "tau", "τ")
    if computed.result.circular or not by_r or not by_tau:
        return ""
    return f"By sentence, {literal(by_r)}; by pair, {literal(by_tau)}."


def _left_out(computed: Computed) -> str:
    """The usual metrics that only English texts have, as a sentence after others; empty if there are none."""
    names = [title_of_metric(name) for name in computed.parameters.metrics]
    scored = set(map(title_of_metric, computed.result.metrics))
    missing = [literal(name) for name in names if name not in scored]
    return f" {listed(missing)} left out: only English texts can be parsed." if missing else ""


def _drawn(computed: Computed) -> list[DrawnMetric]:
    return [
        DrawnMetric(title_of_metric(name), judged.spearman, judged.pearson, judged.tau, judged.changes)
        for name, judged in in_order(computed.result)
    ]


def draw_correlations(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Metrics by ρ, r and τ, with intervals."""
    title = f"{naming.title}: agreement with the order of corrections"
    return correlations_figure(_drawn(computed), title=title, is_narrow=layout == "narrow")


def draw_changes(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """Mean change of each metric by type of edit."""
    title = f"{naming.title}: change of score by type of edit, as multiples of the metric’s usual change"
    return sensitivity_figure(_drawn(computed), computed.result.types, title=title, layout=layout)


def about_types(computed: Computed, naming: Naming) -> str:
    """How to read the heat map, and how many types phones have."""
    phones = (
        f" Phones show the {TYPES_ON_A_PHONE} most frequent types."
        if len(computed.result.types) > TYPES_ON_A_PHONE
        else ""
    )
    return (
        "Mean change of the score when an edit of a type is applied, as a multiple of the metric’s usual "
        "change (the root mean square over types, weighted by their edits). Blue: the score rises. Red: it "
        "falls. Faint: the 95\N{NO-BREAK SPACE}% interval over sentences includes 0, or there is none."
        f"{phones}"
    )


def signatures(computed: Computed, naming: Naming) -> str:
    """How each metric scored."""
    return "\n".join(
        f"- {literal(title_of_metric(name))}: `{judged.signature}`"
        for name, judged in in_order(computed.result)
    )


def explanation(computed: Computed) -> str:
    """What was scored, and how the coefficients are made."""
    result: MaegeVerdict = computed.result
    return (
        f"{_chosen(computed)} {result.sentences:,} of {result.of_sentences:,} sentences, "
        f"{result.lattices:,} chains with {result.corrections:,} corrections and {result.pairs:,} comparable "
        f"pairs, drawn {counted(computed.parameters.seeds, 'time')}. Metrics compare with "
        f"{result.references} reference{'' if result.references == '1' else 's'} of each sentence."
        f"{_left_out(computed)}\n{EXPLANATION}"
    )


EXPLANATION = """
An annotator’s edits, applied one by one, give a chain of corrections, each better than the one before. ρ:
eleven corpora with more and more corrections are drawn; Spearman’s correlation of their scores with their
order. τ: one less twice the share of pairs of a chain in which the better correction has the lower score;
ties count as agreement unless the form says otherwise. r: Pearson’s correlation of scores with 1 for the end
of a chain, less for each edit that is missing. A metric can do well here and still overlook mistakes that
people do not make, such as a changed meaning. If more than 5,000
sentences have edits, 5,000 of them are drawn at random.

One sentence as a picture: [lattice of a sentence](../lattice/).
"""


MAEGE = register(
    Analysis(
        name="maege",
        title="Metrics without people (MAEGE)",
        group=Group.METRICS,
        question="Which metrics score better corrections higher, without judgments?",
        defined_in="maege.md",
        help="Which metrics score better corrections higher, by applying the edits of annotators one by one.",
        parameters=MaegeParameters,
        result=MaegeVerdict,
        inputs=LatticeTexts,
        chunks=Chunks(sizes=part_sizes, prepare=Prepared, part=MaegePart, compute=compute, combine=combine),
        tables={
            "maege": CORRELATED,
            "coefficients": COEFFICIENTS,
            "paper": BESIDE_PAPER,
            "corpora": CORPORA,
            "types": TYPES,
        },
        figures={
            "correlations": Figure(
                caption="Agreement of each metric with the order of corrections",
                draw=draw_correlations,
                has_content=lambda computed: True,
                of_table="maege",
            ),
            "types": Figure(
                caption="Heat map of the changes of each metric by type of edit",
                draw=draw_changes,
                has_content=lambda computed: True,
                height=lambda computed, layout: sensitivity_height(
                    len(computed.result.metrics), len(computed.result.types), layout
                ),
            ),
        },
        headline=headline,
        lead=lead,
        sections=(
            Section(
                title="By sentence and by pair",
                text=about_coefficients,
                tables=("coefficients",),
                is_folded=True,
            ),
            Section(
                title="Change of scores by type of edit",
                text=about_types,
                figures=("types",),
                tables=("types",),
                is_folded=True,
            ),
            Section(title="Beside the published figures", tables=("paper",), is_folded=True),
            Section(title="Corrections in a sentence", tables=("corpora",), is_folded=True),
            Section(title="Signatures of the scores", note=signatures, is_folded=True),
        ),
        explanation=explanation,
        template="analysis/maege.html",
        resolve=resolved,
        too_much=too_much,
        at_once=False,
    )
)
