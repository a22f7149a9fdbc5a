"""Analysis of MTeRater and MTeRater-Plus, trained on judgments."""

from dataclasses import replace
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

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
    MOST_PAIRS,
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
from core.wording import are, counted, listed, literal, p_is, percent
from figures.metrics.metrics_people import shown_p
from metrics.base.resampling import SIGNIFICANT
from metrics.learned.paired import PairedComparison
from ranking import holm_correction


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
    note=f"Filled: models. Hollow: single metrics, of which these are the best {MOST_SINGLE}.",
)

ABOUT_NAMES = (
    " Models are named after the features that they have: *metrics*, the scores of single metrics; "
    "*matching*, words and stems shared with references; *text*, n-grams and lengths; *MTeRater*, errors "
    "that a grammar checker finds in the output (*checker*) and in the 20 sentences around it (*document*). "
    "MTeRater-Plus has all."
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


class Tested(NamedTuple):
    """A comparison with its p-value over resampled sentences after Holm's correction for all comparisons."""

    comparison: PairedComparison
    p_value: float | None

    @property
    def is_clear(self) -> bool:
        """Whether the two differ."""
        return self.p_value is not None and self.p_value <= SIGNIFICANT


def tested(result: TrainedMterater) -> list[Tested]:
    """The comparisons, their p-values corrected; those without one have none."""
    p_values = [each.clustered_p_value for each in result.comparisons]
    corrected = iter(holm_correction([p for p in p_values if p is not None]).tolist())
    return [
        Tested(each, None if p is None else next(corrected))
        for each, p in zip(result.comparisons, p_values, strict=True)
    ]


COMPARISONS = Table(
    rows=lambda computed: tested(computed.result),
    columns=tuple(
        replace(column, on_page=False, is_printed=True)
        for column in (
            LearnedName("first", "First", attrgetter("comparison.first")),
            LearnedName("second", "Second", attrgetter("comparison.second")),
            Count("first_only", "First only", attrgetter("comparison.mcnemar.first_only")),
            Count("second_only", "Second only", attrgetter("comparison.mcnemar.second_only")),
            PValue("mcnemar_p", "McNemar p", attrgetter("comparison.mcnemar.p_value")),
            Estimated("difference", "Difference", attrgetter("comparison.difference")),
            PValue("p", "p", attrgetter("comparison.clustered_p_value")),
            PValue("p_holm", "p (Holm)", attrgetter("p_value")),
        )
    ),
    caption="Two metrics on the same pairs",
)


class Difference(Column):
    """A difference of taus with the comparison that it is from, whose corrected p-value is the note."""

    css = "number"

    def css_of(self, value: tuple[float, Tested]) -> str:
        """Shaded if it is significant."""
        return f"{self.css} shade-3" if value[1].is_clear else self.css

    def text(self, value: tuple[float, Tested], naming: Naming) -> str:
        """The difference with its sign, and a mark if it is significant."""
        return f"{value[0]:+.3f}{' ✓' if value[1].is_clear else ''}"

    def note_of(self, row: object) -> str:
        """P over resampled sentences, corrected."""
        if (value := self.of(row)) is None:
            return ""
        return UNKNOWN if value[1].p_value is None else shown_p(value[1].p_value)


def _differences(computed: Computed) -> list[list[Any]]:
    """Each compared metric with the differences from all of them, None from itself."""
    of_pairs: dict[tuple[str, str], tuple[float, Tested]] = {}
    for each in tested(computed.result):
        of_two, difference = each.comparison, each.comparison.difference.value or 0.0
        of_pairs[of_two.first, of_two.second] = difference, each
        of_pairs[of_two.second, of_two.first] = 0.0 - difference, each
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


def _compared(result: TrainedMterater, ours: str, theirs: str) -> Tested | None:
    """The comparison of the two; None if there is none."""
    two = {ours, theirs}
    return next(
        (each for each in tested(result) if {each.comparison.first, each.comparison.second} == two), None
    )


def _is_clearly_better(result: TrainedMterater, ours: str, theirs: str) -> bool:
    """Whether a learned metric is ahead of a single one, and the corrected test tells them apart."""
    values, compared = _values(result), _compared(result, ours, theirs)
    return values[ours] > values[theirs] and compared is not None and compared.is_clear


def _how_much_better(result: TrainedMterater) -> str:
    """The difference of the heading with its interval and p, as a sentence before others."""
    values = _values(result)
    single = [name for name in _single(result) if name in values]
    learned = [name for name in values if name not in single]
    ours, theirs = (max(names, key=values.__getitem__, default="") for names in (learned, single))
    compared = _compared(result, ours, theirs)
    if compared is None or compared.p_value is None:
        return ""
    of_two = compared.comparison.difference
    low, high = of_two.low or 0.0, of_two.high or 0.0
    if compared.comparison.first != ours:
        low, high = -high, -low
    return (
        f"The difference is {values[ours] - values[theirs]:.2f} ({low:.2f} to {high:.2f} taken alone; "
        f"{p_is(compared.p_value)} after Holm’s correction for {_tests_in_words(result)}). "
    )


def _tests_in_words(result: TrainedMterater) -> str:
    """How many comparisons are corrected together, and of what."""
    compared = {name for each in result.comparisons for name in (each.first, each.second)}
    single = compared.intersection(_single(result))
    models = counted(len(compared) - len(single), "model")
    others = listed([models, *(literal(title_of_metric(name)) for name in sorted(single))])
    return f"{counted(len(result.comparisons), 'comparison')} of {others} with each other"


def _what_the_checker_adds(result: TrainedMterater) -> str:
    checker = result.checker
    compared = None if checker is None else _compared(result, checker.first, checker.second)
    if checker is None or compared is None or compared.p_value is None:
        return ""
    if not compared.is_clear:
        return " There is no evidence that the grammar checker adds anything."
    return f" The grammar checker {'helps' if (checker.difference.value or 0.0) > 0 else 'harms'}."


def lead(computed: Computed, naming: Naming) -> str:
    """Which pairs count, and what is left out."""
    result: TrainedMterater = computed.result
    said = (
        f"{_how_much_better(result)}{counted(result.pairs, 'judged pair')} of "
        f"{counted(result.sentences, 'sentence')}{_drawn(result)}{_without_features(result)}."
        f"{_what_the_checker_adds(result)}"
    )
    return f"{said}{left_out_of_training(computed, naming)}{ABOUT_NAMES}"


def _drawn(result: TrainedMterater) -> str:
    """How many sentences were judged, if not all are used."""
    if not result.not_drawn:
        return ""
    return f", drawn at random from {result.sentences + result.not_drawn:,} judged ones"


def _without_features(result: TrainedMterater) -> str:
    """The pairs that are left out, as the end of a sentence; empty without any."""
    if not result.not_scored:
        return ""
    pairs = counted(result.not_scored, "pair")
    return f"; {pairs} with a missing feature {are(result.not_scored)} left out"


def explanation(computed: Computed) -> str:
    """How the metric is trained and tested."""
    parameters: MteraterParameters = computed.parameters
    return (
        "MTeRater (Parton et al. 2011) is a linear SVM that learns to order two outputs of a sentence. The "
        "paper’s language-model features are left out. Learned metrics order each sentence by a model that "
        "has learned from the other folds "
        f"({parameters.folds} in all), so no sentence is used for both training and testing. If people "
        f"ordered more than {MOST_PAIRS:,} pairs of outputs, sentences are drawn by the seed until they have "
        "as many. τ is that of WMT10: ties of people are left out, and ties of a metric count as wrong, so "
        "one that scores many outputs alike comes out low; *A new metric* counts them as half. The lines are "
        f"{percent(parameters.confidence)} intervals over resampled sentences. "
        "Two metrics differ clearly if p over resampled sentences, corrected for all comparisons of two "
        f"metrics (Holm), is at most {SIGNIFICANT}. The file of comparisons also has McNemar’s exact test, "
        f"which treats pairs as independent, so its p is too small."
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
                text="τ of the row minus that of the column. Below: p over resampled sentences, corrected "
                f"for all these comparisons (Holm). Shaded and marked ✓: at most {SIGNIFICANT}.",
                tables=["matrix", "comparisons"],
                is_folded=True,
            ),
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
