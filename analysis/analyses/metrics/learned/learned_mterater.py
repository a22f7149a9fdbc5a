"""Analysis of MTeRater and MTeRater-Plus, trained on judgments."""

from dataclasses import replace
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
    MetricTau,
    MteraterParameters,
    TrainedMterater,
    train_mterater,
)
from core.columns import UNKNOWN, Column, Count, Estimated, Number, PValue
from core.names import Naming
from core.results import Computed, Section
from core.tables import Table
from core.wording import are, counted, p_is, percent
from figures.metrics.metrics_people import SIGNIFICANT, shown_p
from metrics.learned.paired import PairedComparison


def _best_first(computed: Computed) -> list[MetricTau]:
    """Learned and single metrics, the highest tau first, those without one last."""

    def place(each: MetricTau) -> tuple[bool, float]:
        value = each.pairs.value
        return value is None, -(value or 0.0)

    return sorted(computed.result.taus, key=place)


class LearnedName(MetricName):
    """A single metric, or a model by the features that it has learned from."""

    def text(self, value: str, naming: Naming) -> str:
        """The title of a metric, or what the model is of."""
        return value if naming.by_key else shown_name(value)


def shown_name(name: str) -> str:
    """A metric as pages call it."""
    if _is_model(name):
        return f"all {name}" if name.startswith("metrics") else name.replace("without", "features but", 1)
    return title_of_metric(name)


def _is_model(name: str) -> bool:
    return name == "metrics" or name.startswith(("metrics +", "all without"))


MOST_SINGLE = 3
"""The single metrics beside learned ones in the first table."""


def _learned_and_best(computed: Computed) -> list[MetricTau]:
    """Learned metrics and the best single ones, the highest tau first."""
    ordered = _best_first(computed)
    single = [each for each in ordered if not each.groups][:MOST_SINGLE]
    return [each for each in ordered if each.groups or each in single]


_TAU = Estimated(
    "tau",
    "Kendall",
    heading="τ",
    drawn="Kendall’s τ on held-out sentences",
    is_hollow=lambda row: not row.groups,
)

TAUS = Table(
    rows=lambda computed: computed.result.taus,
    page_rows=_learned_and_best,
    columns=(
        LearnedName("metric", "Metric"),
        _TAU,
        Number("tau_without_ties", "Ties left out", attrgetter("pairs.without_ties"), on_page=False),
        Count("metric_ties", "Ties", attrgetter("pairs.metric_ties"), on_page=False),
        Count("features", "Features", on_page=False),
    ),
    caption="Kendall’s tau of learned metrics and of the best single ones on held-out sentences",
    note=f"Hollow: single metrics, of which these are the best {MOST_SINGLE}.",
)

SINGLE = Table(
    rows=_best_first,
    columns=(
        LearnedName("", "Metric", attrgetter("metric")),
        replace(_TAU, name="", value=attrgetter("tau")),
        Number("", "Ties left out", attrgetter("pairs.without_ties")),
        Count("", "Ties", attrgetter("pairs.metric_ties")),
        Count("", "Features", attrgetter("features")),
    ),
    caption="Kendall’s tau of all metrics on held-out sentences",
    in_files=False,
)

COMPARISONS = Table(
    rows=lambda computed: computed.result.comparisons,
    columns=(
        LearnedName("first", "First"),
        LearnedName("second", "Second"),
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
        LearnedName("", "Metric", itemgetter(0)),
        *(
            Difference("", shown_name(name), itemgetter(place))
            for place, (name, *_) in enumerate(_differences(computed), start=1)
        ),
    ),
    caption="Differences of tau with p-values, row against column",
    in_files=False,
)


def _single(result: TrainedMterater) -> list[str]:
    return [each.metric for each in result.taus if not each.groups]


def headline(computed: Computed, naming: Naming) -> str:
    """Whether the learned metric of the highest tau clearly beats the best single one, in a sentence."""
    result: TrainedMterater = computed.result
    values = _values(result)
    single = [name for name in _single(result) if name in values]
    learned = [name for name in values if name not in single]
    if not values:
        return "No metric orders the judged pairs"
    start = "On held-out sentences,"
    if not single or not learned:
        best = max(values, key=lambda name: values[name])
        return f"{start} {_named(best)} orders the judged pairs at τ = {values[best]:.2f}"
    ours, theirs = (max(names, key=lambda name: values[name]) for names in (learned, single))
    how = "clearly better" if _is_clearly_better(result, ours, theirs) else "not clearly better"
    said = (
        f"{start} {_named(ours)} (τ = {values[ours]:.2f}) is {how} than {_named(theirs)} alone "
        f"({values[theirs]:.2f})"
    )
    if ours != MTERATER_ALONE and MTERATER_ALONE in values:
        said += f"; {MTERATER_ALONE} alone has {values[MTERATER_ALONE]:.2f}"
    return said


def _values(result: TrainedMterater) -> dict[str, float]:
    return {each.metric: each.pairs.value for each in result.taus if each.pairs.value is not None}


def _named(name: str) -> str:
    """A metric within a sentence."""
    return f"a model of {shown_name(name)}" if _is_model(name) else shown_name(name)


def _compared(result: TrainedMterater, ours: str, theirs: str) -> PairedComparison | None:
    """The comparison of the two; None if there is none."""
    return next((each for each in result.comparisons if {each.first, each.second} == {ours, theirs}), None)


def _is_clearly_better(result: TrainedMterater, ours: str, theirs: str) -> bool:
    """Whether a learned metric is ahead of a single one, and the test tells them apart.

    It was chosen among the learned ones by these data, so p is multiplied by their number.
    """
    values = _values(result)
    compared = _compared(result, ours, theirs)
    p = None if compared is None else compared.clustered_p_value
    learned = len(values) - len(_single(result))
    return values[ours] > values[theirs] and p is not None and p * learned <= SIGNIFICANT


def _how_much_better(result: TrainedMterater) -> str:
    """The difference of the heading with its interval and p, as a sentence after others."""
    values = _values(result)
    single = [name for name in _single(result) if name in values]
    learned = [name for name in values if name not in single]
    ours, theirs = (max(names, key=values.__getitem__, default="") for names in (learned, single))
    compared = _compared(result, ours, theirs)
    if compared is None or compared.clustered_p_value is None:
        return ""
    low, high = compared.difference.low or 0.0, compared.difference.high or 0.0
    if compared.first != ours:
        low, high = -high, -low
    return (
        f" The difference is {values[ours] - values[theirs]:.2f} ({low:.2f} to {high:.2f}, "
        f"{p_is(compared.clustered_p_value)} "
        f"before correction for {counted(len(learned), 'model')})."
    )


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
        f"{counted(result.pairs, 'judged pair')} of {counted(result.sentences, 'sentence')}."
        f"{_how_much_better(result)}{_what_the_checker_adds(result.checker)}"
    )
    return said + left_out_of_training(computed, naming)


def explanation(computed: Computed) -> str:
    """How the metric is trained and tested."""
    parameters: MteraterParameters = computed.parameters
    missing: int = computed.result.not_scored
    left_out = (
        f" {counted(missing, 'pair')} with a missing feature {are(missing)} left out." if missing else ""
    )
    return (
        "MTeRater (Parton et al. 2011) is a linear SVM that learns to order two outputs of a sentence from "
        "the errors that a grammar checker finds in them and in the 20 sentences around them. MTeRater-Plus "
        "adds other metrics, matches of words and stems, and n-grams. The paper’s language-model features "
        "are left out. Learned metrics order each sentence by a model that has learned from the other folds "
        f"({parameters.folds} in all), so no sentence is used for both training and testing. τ is that of "
        "WMT10: ties of people are left out, and ties of a metric count as wrong, so one that scores many "
        "outputs alike comes out low; *A new metric* counts them as half. The lines are "
        f"{percent(parameters.confidence)} intervals over resampled sentences. "
        "The heading calls the best learned metric clearly better if p over resampled sentences, times the "
        f"number of learned metrics (Bonferroni), is at most {SIGNIFICANT}.{left_out}"
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
        tables={
            "taus": TAUS,
            "single": SINGLE,
            "matrix": MATRIX,
            "comparisons": COMPARISONS,
            "features": FEATURES,
        },
        figures={"coefficients": COEFFICIENTS},
        headline=headline,
        lead=lead,
        sections=(
            Section(title="All metrics", tables=["single"], is_folded=True),
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
