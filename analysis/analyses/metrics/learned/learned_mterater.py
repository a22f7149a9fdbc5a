"""Analysis of MTeRater and MTeRater-Plus, trained on judgments."""

from collections.abc import Mapping
from operator import attrgetter, itemgetter
from typing import Any

from analysis.analyses.base import Analysis, Group, register
from analysis.analyses.metric_titles import MetricName, title_of_metric
from analysis.analyses.metrics.against_people import CHOOSING, OF_METRICS, resolved
from analysis.analyses.metrics.learned.learned_models import (
    COEFFICIENTS,
    FEATURES,
    LEARNED_SECTIONS,
    left_out_of_training,
)
from analysis.analyses.metrics.learned.mterater_training import (
    MTERATER_ALONE,
    PLUS,
    MetricTau,
    MteraterParameters,
    TrainedMterater,
    train_mterater,
)
from core.columns import UNKNOWN, Column, Count, Estimated, Number, PValue
from core.names import Naming
from core.results import Computed, Section
from core.tables import Table
from core.wording import are, counted
from figures.metrics.metrics_people import SIGNIFICANT, shown_p
from metrics.learned.paired import PairedComparison


def _best_first(computed: Computed) -> list[MetricTau]:
    """Learned and single metrics, the highest tau first, those without one last."""

    def place(each: MetricTau) -> tuple[bool, float]:
        value = each.pairs.value
        return value is None, -(value or 0.0)

    return sorted(computed.result.taus, key=place)


TAUS = Table(
    rows=lambda computed: computed.result.taus,
    page_rows=_best_first,
    columns=(
        MetricName("metric", "Metric", note=lambda row: "learned" if row.groups else ""),
        Estimated(
            "tau",
            "Kendall",
            heading="Kendall’s τ",
            drawn="Kendall’s τ on held-out sentences",
            is_hollow=lambda row: not row.groups,
        ),
        Number("tau_without_ties", "Ties left out", attrgetter("pairs.without_ties")),
        Count("metric_ties", "Ties", attrgetter("pairs.metric_ties")),
        Count("features", "Features"),
    ),
    caption="Kendall’s tau of single and learned metrics on held-out sentences",
    note="Hollow: single metrics.",
)

COMPARISONS = Table(
    rows=lambda computed: computed.result.comparisons,
    columns=(
        MetricName("first", "First"),
        MetricName("second", "Second"),
        Count("first_only", "First only", attrgetter("mcnemar.first_only")),
        Count("second_only", "Second only", attrgetter("mcnemar.second_only")),
        PValue("mcnemar_p", "McNemar p", attrgetter("mcnemar.p_value")),
        Estimated("difference", "Difference", is_shaded=True),
        PValue("p", "p", attrgetter("clustered_p_value")),
    ),
    caption="Two metrics on the same pairs",
)


class Difference(Column):
    """A difference of taus with the comparison that it is from, whose p-values are the note."""

    css = "number"

    def css_of(self, value: tuple[float, PairedComparison]) -> str:
        """Shaded if it is significant."""
        return f"{self.css} shade-3" if _is_significant(value[1]) else self.css

    def text(self, value: tuple[float, PairedComparison], naming: Naming) -> str:
        """The difference with its sign, and a mark if it is significant."""
        return f"{value[0]:+.3f}{' ✓' if _is_significant(value[1]) else ''}"

    def note_of(self, row: object) -> str:
        """P by McNemar’s test, and over resampled sentences."""
        if (value := self.of(row)) is None:
            return ""
        p_values = value[1].mcnemar.p_value, value[1].clustered_p_value
        return "; ".join(UNKNOWN if p is None else shown_p(p) for p in p_values)


def _is_significant(each: PairedComparison) -> bool:
    return each.clustered_p_value is not None and each.clustered_p_value <= SIGNIFICANT


def _differences(computed: Computed) -> list[list[Any]]:
    """Each compared metric with the differences from all of them, None from itself."""
    of_pairs: dict[tuple[str, str], tuple[float, PairedComparison]] = {}
    for each in computed.result.comparisons:
        difference = each.difference.value or 0.0
        of_pairs[each.first, each.second] = difference, each
        of_pairs[each.second, each.first] = 0.0 - difference, each
    names = list(dict.fromkeys(name for pair in of_pairs for name in pair))
    return [[name, *(of_pairs.get((name, other)) for other in names)] for name in names]


MATRIX = Table(
    rows=_differences,
    columns=lambda computed: (
        MetricName("", "Metric", itemgetter(0)),
        *(
            Difference("", title_of_metric(name), itemgetter(place))
            for place, (name, *_) in enumerate(_differences(computed), start=1)
        ),
    ),
    caption="Differences of tau with p-values, row against column",
    in_files=False,
)


def _single(result: TrainedMterater) -> list[str]:
    return [each.metric for each in result.taus if not each.groups]


def headline(computed: Computed, naming: Naming) -> str:
    """The best metric of held-out sentences, and whether it is better than a single one, in a sentence."""
    result: TrainedMterater = computed.result
    values = {each.metric: each.pairs.value for each in result.taus if each.pairs.value is not None}
    if not values:
        return "No metric orders the judged pairs"
    best = max(values, key=lambda name: values[name])
    is_name = best in (PLUS, MTERATER_ALONE, *_single(result))
    shown = title_of_metric(best) if is_name else f"a model of {best.replace('all', 'all features', 1)}"
    said = f"On held-out sentences, {shown} agrees best with people (τ = {values[best]:.2f})"
    return f"{said}{_beyond_a_single_metric(result, best, values)}"


def _beyond_a_single_metric(result: TrainedMterater, best: str, values: Mapping[str, float]) -> str:
    """Whether the best metric is clearly better than the best single one; nothing if it is that one.

    The best of several learned metrics was chosen by these data, so p is multiplied by their number.
    """
    single = _single(result)
    learned = len(values) - len(single)
    for each in result.comparisons:
        for first, second in ((each.first, each.second), (each.second, each.first)):
            if first == best and second in single:
                p = each.clustered_p_value
                clearly = "clearly" if p is not None and p * learned <= SIGNIFICANT else "but not clearly"
                return f", {clearly} better than {title_of_metric(second)} alone ({values[second]:.2f})"
    return ""


def _what_the_checker_adds(checker: PairedComparison | None) -> str:
    if checker is None or checker.difference.low is None or checker.difference.high is None:
        return ""
    if checker.difference.low > 0:
        return " The grammar checker helps."
    if checker.difference.high < 0:
        return " The grammar checker harms."
    return " There is no evidence that the grammar checker adds anything."


def lead(computed: Computed, naming: Naming) -> str:
    """Which pairs count, and what is left out."""
    result: TrainedMterater = computed.result
    said = (
        f"{counted(result.pairs, 'judged pair')} of different outputs, of "
        f"{counted(result.sentences, 'sentence')}. Ties of a metric count as wrong, so one that scores many "
        f"outputs alike comes out low; *A new metric* counts them as half."
        f"{_what_the_checker_adds(result.checker)}"
    )
    if result.not_scored:
        pairs = counted(result.not_scored, "pair")
        said += f" {pairs} with a missing feature {are(result.not_scored)} left out."
    return said + left_out_of_training(computed, naming)


def explanation(computed: Computed) -> str:
    """How the metric is trained and tested."""
    parameters: MteraterParameters = computed.parameters
    return (
        "MTeRater (Parton et al. 2011) is a linear SVM that learns to order two outputs of a sentence from "
        "the errors that a grammar checker finds in them and in the 20 sentences around them. MTeRater-Plus "
        "adds other metrics, matches of words and stems, and n-grams. The paper’s language-model features "
        "are left out. Learned metrics order each sentence by a model that has learned from the other folds "
        f"({parameters.folds} in all), so no sentence is used for both training and testing. τ is that of "
        "WMT10: ties of people are left out, ties of a metric count as wrong, and are left out in the next "
        f"column. The lines are {round(100 * parameters.confidence)}% intervals over resampled sentences. "
        "The heading calls the best learned metric clearly better if p over resampled sentences, times the "
        f"number of learned metrics (Bonferroni), is at most {SIGNIFICANT}."
    )


LEARNED_MTERATER = register(
    Analysis(
        **OF_METRICS,
        name="learned-mterater",
        title="MTeRater",
        group=Group.METRICS,
        question="Does a metric learned from these judgments agree better with people?",
        defined_in="learned.md#mterater-and-mterater-plus",
        help="A metric of outputs learned from these judgments, tested on sentences that it has not seen.",
        parameters=MteraterParameters,
        result=TrainedMterater,
        compute=train_mterater,
        tables={"taus": TAUS, "matrix": MATRIX, "comparisons": COMPARISONS, "features": FEATURES},
        figures={"coefficients": COEFFICIENTS},
        headline=headline,
        lead=lead,
        sections=(
            Section(
                title="Differences between metrics",
                text="τ of the row minus that of the column. Below: p of McNemar’s exact test, which treats "
                "pairs as independent and is therefore too small; then p over resampled sentences. Shaded "
                f"and marked ✓: the latter is at most {SIGNIFICANT}. P-values are not corrected for the "
                "number of comparisons.",
                tables=["matrix"],
                is_folded=True,
            ),
            Section(title="Each comparison", tables=["comparisons"], is_folded=True),
            *LEARNED_SECTIONS,
        ),
        explanation=explanation,
        fields=("c", "folds", *CHOOSING),
        template="analysis/learned.html",
        tab="Learned",
        label="MTeRater",
        place=71,
        resolve=resolved,
    )
)
