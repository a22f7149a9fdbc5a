"""Analysis of GMEG-Metric, trained on judgments."""

from collections.abc import Sequence
from operator import itemgetter

from analysis.analyses.base import Analysis, Group, register
from analysis.analyses.metric_titles import MetricName, title_of_metric
from analysis.analyses.metrics.against_people import OF_METRICS, resolved_of_mixtures
from analysis.analyses.metrics.learned.gmeg_training import (
    GmegParameters,
    HeldOutFigure,
    HeldOutMetric,
    TrainedGmeg,
    train_gmeg,
)
from analysis.analyses.metrics.learned.learned_models import (
    COEFFICIENTS,
    FEATURES,
    LEARNED_SECTIONS,
    left_out_of_training,
)
from core.columns import Column, Estimated, Number, Text
from core.names import Naming
from core.results import Computed, Section
from core.tables import Table
from core.wording import counted
from metrics.learned.gmeg import LEARNED
from metrics.learned.saved import ModelCard


def _has_domains(computed: Computed) -> bool:
    """Whether there are several domains, and so a mean over them."""
    return len({each.domain for each in computed.result.held_out}) > 1


class DomainName(Text):
    """A domain, or that a row is the mean of all, on one line."""

    css = "unbroken"


def _columns_of_held_out(computed: Computed) -> Sequence[Column]:
    several, splits = _has_domains(computed), counted(computed.parameters.splits, "split")
    return (
        MetricName("metric", "Metric", note=lambda row: "learned" if row.metric == LEARNED else ""),
        DomainName("domain", "Domain", on_page=several, on_paper=several),
        Estimated(
            "pearson",
            "Pearson",
            heading="r",
            drawn=f"Pearson’s r, mean of {splits}",
            interval="Middle 95 % of splits",
            is_hollow=lambda row: row.metric != LEARNED,
        ),
        Estimated("spearman", "Spearman", on_page=False),
    )


def _learned_first(computed: Computed) -> list[HeldOutMetric]:
    """The mean of domains, which the heading is about, then domain by domain.

    In each, the learned metric and then the others, those that agree best with people first.
    """
    held_out: Sequence[HeldOutMetric] = computed.result.held_out
    domains = list(dict.fromkeys(each.domain for each in held_out))
    return sorted(
        held_out,
        key=lambda each: (
            each.domain != domains[-1],
            domains.index(each.domain),
            each.metric != LEARNED,
            each.pearson.mean is None,
            -(each.pearson.mean or 0.0),
        ),
    )


HELD_OUT = Table(
    rows=lambda computed: computed.result.held_out,
    page_rows=_learned_first,
    columns=_columns_of_held_out,
    caption="Correlations with people on held-out sentences",
    note="Hollow: single metrics. Splits share sentences, so their range is no confidence interval.",
)


def _columns_of_ablation(computed: Computed) -> Sequence[Column]:
    several = _has_domains(computed)
    return (
        Text("left_out", "Left out"),
        Text("domain", "Tested in", on_page=several, on_paper=several),
        Number("seen", "In training"),
        Number("unseen", "Not in training"),
    )


ABLATION = Table(
    rows=lambda computed: computed.result.ablation,
    columns=_columns_of_ablation,
    caption="Pearson’s r with and without a system or a domain in training",
    note=lambda computed, naming: (
        f"Means of {computed.parameters.folds} folds; each holds out a quarter of the sentences, with one "
        "synthetic system of each kind."
    ),
)


def headline(computed: Computed, naming: Naming) -> str:
    """Whether the learned metric leads on held-out sentences, in a sentence."""
    held_out: Sequence[HeldOutMetric] = computed.result.held_out
    means = {
        each.metric: each.pearson
        for each in held_out
        if each.domain == held_out[-1].domain and each.pearson.mean is not None
    }
    learned = means.pop(LEARNED, None)
    if learned is None or learned.mean is None or not means:
        return "The learned metric cannot be correlated with people on held-out sentences"
    best, mean = max(((name, each.mean or 0.0) for name, each in means.items()), key=itemgetter(1))
    ours, theirs, title = f"{learned.mean:.2f}", f"{mean:.2f}", title_of_metric(best)
    if ours == theirs:
        return f"On held-out sentences, {LEARNED} agrees with people as well as {title} alone (r = {ours})"
    if not _are_apart(held_out, best):
        (more, r), (less, other_r) = sorted(
            ((LEARNED, ours), (title, theirs)), key=itemgetter(1), reverse=True
        )
        return f"On held-out sentences, {more} (r = {r}) is not clearly ahead of {less} ({other_r})"
    if learned.mean > mean:
        return (
            f"On held-out sentences, {LEARNED} (r = {ours}) is ahead of the best single metric, {title} "
            f"({theirs})"
        )
    return f"On held-out sentences, {title} alone (r = {theirs}) is ahead of {LEARNED} ({ours})"


def _are_apart(held_out: Sequence[HeldOutMetric], other: str) -> bool:
    """Whether the middle splits of the learned metric and another are apart, the same one ahead everywhere.

    That is in each domain, since means over domains have no splits.
    """
    by_domain: dict[str, dict[str, HeldOutFigure]] = {}
    for each in held_out:
        if each.pearson.low is not None and each.pearson.high is not None:
            by_domain.setdefault(each.domain, {})[each.metric] = each.pearson
    ahead = set()
    for figures in by_domain.values():
        if LEARNED not in figures or other not in figures:
            return False
        (low, high), (other_low, other_high) = map(_ends, (figures[LEARNED], figures[other]))
        if max(low, other_low) <= min(high, other_high):
            return False
        ahead.add(low > other_high)
    return len(ahead) == 1


def _ends(figure: HeldOutFigure) -> tuple[float, float]:
    assert figure.low is not None  # noqa: S101  # the caller leaves figures without ends out
    assert figure.high is not None  # noqa: S101
    return figure.low, figure.high


def lead(computed: Computed, naming: Naming) -> str:
    """The judgments and features that the metric was trained on."""
    card: ModelCard = computed.result.model.card
    systems = len(card.systems)
    return (
        f"{card.data}; {counted(systems, 'system')} and {card.instances - systems:,} synthetic ones."
        f"{left_out_of_training(computed, naming)} All metrics, also single ones, are correlated on "
        "halves of the sentences, so r is not that of *Metrics against people*."
    )


def explanation(computed: Computed) -> str:
    """How the metric is trained and tested."""
    of_domains = " of each domain" if _has_domains(computed) else ""
    return (
        "GMEG-Metric (Napoles et al. 2019) is a ridge regression of people’s scores of systems on the "
        "statistics of other metrics, such as precision and recall by type of error. It learns from the "
        "judged systems and from synthetic ones, which take 10 % to 90 % of their sentences from one system "
        f"and the rest from another. In each of {computed.parameters.splits} random splits, half of the "
        f"sentences{of_domains} are held out: the model learns from the other half, and metrics are "
        "correlated with people on the held-out half. The range of the splits is that of the middle 95 %; of "
        "few, about from the lowest to the highest. The heading says a metric ahead if its range lies above "
        "that of the other."
    )


def _about_ablation(computed: Computed, naming: Naming) -> str:
    of_domains = " or domains" if _has_domains(computed) else ""
    return (
        "Pearson’s r on what is left out of training, in held-out sentences. A large loss means that the "
        f"model does not carry over to systems{of_domains} like this one."
    )


LEARNED_GMEG = register(
    Analysis(
        **OF_METRICS,
        name="learned-gmeg",
        title="GMEG-Metric",
        group=Group.METRICS,
        question="Does a learned combination of metrics agree better with people?",
        defined_in="learned.md#gmeg-metric",
        help="A metric of systems learned from these judgments, tested on sentences that it has not seen.",
        parameters=GmegParameters,
        result=TrainedGmeg,
        compute=train_gmeg,
        tables={"held-out": HELD_OUT, "ablation": ABLATION, "features": FEATURES},
        figures={"coefficients": COEFFICIENTS},
        headline=headline,
        lead=lead,
        sections=(
            Section(
                title=lambda computed: (
                    f"Leaving out a system{' or a domain' if _has_domains(computed) else ''}"
                ),
                text=_about_ablation,
                tables=["ablation"],
                is_folded=True,
            ),
            *LEARNED_SECTIONS,
        ),
        explanation=explanation,
        fields=("human", "alpha", "standardise", "draws", "with_source", "references", "exclude_systems"),
        template="analysis/learned.html",
        tab="Learned",
        label="GMEG-Metric",
        place=70,
        resolve=resolved_of_mixtures,
    )
)
