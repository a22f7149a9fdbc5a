"""Analysis of GMEG-Metric, trained on judgments."""

from collections.abc import Sequence
from operator import itemgetter

from analysis.analyses.base import Analysis, Group, register
from analysis.analyses.metric_titles import MetricName, title_of_metric
from analysis.analyses.metrics.against_people import OF_METRICS, resolved_of_mixtures
from analysis.analyses.metrics.learned.gmeg_training import (
    GmegParameters,
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
from analysis.analyses.rules import is_of_older_rule
from core.columns import Column, Count, Estimated, Number, Text
from core.names import Naming
from core.results import Computed, Section
from core.tables import Table
from core.wording import counted, listed, literal
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
            digits=2,
            drawn=f"Pearson’s r, mean of {splits}",
            interval=_range_of_splits(computed),
            is_hollow=lambda row: row.metric != LEARNED,
        ),
        Estimated("spearman", "Spearman", on_page=False),
        Count("ahead", "Ahead", heading=f"Splits ahead (of {computed.parameters.splits})"),
    )


def _range_of_splits(computed: Computed) -> str:
    """What the lines are; results of earlier rules have the middle 95 %."""
    if is_of_older_rule("learned-gmeg", computed.result.signature):
        return "Middle 95 % of splits"
    return "Lowest to highest split"


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
    note=lambda computed, naming: (
        f"Hollow: single metrics. Lines: {_range_of_splits(computed).lower()}. *Splits ahead*: those in "
        f"which {LEARNED} has the higher r. Splits share sentences, so neither their range nor their number "
        "is a test."
    ),
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
    """Whether the learned metric leads on held-out sentences, in a sentence that calls it no test."""
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
    by_domain = [each.ahead for each in held_out if each.metric == best and each.ahead is not None]
    splits, ahead = computed.parameters.splits * len(by_domain), sum(by_domain)
    (more, r), (less, other_r) = (LEARNED, ours), (title, theirs)
    if mean > learned.mean:
        (more, r), (less, other_r) = (title, theirs), (LEARNED, ours)
        ahead = splits - ahead
    within = (
        f" in {'all' if ahead == splits else f'{ahead:,} of'} {counted(splits, 'split')}" if splits else ""
    )
    return f"On held-out sentences, {more} (r = {r}) is ahead of {less} ({other_r}){within} (no test)"


def lead(computed: Computed, naming: Naming) -> str:
    """How far the splits are apart, and the judgments and features that the metric was trained on."""
    card: ModelCard = computed.result.model.card
    systems = len(card.systems)
    return (
        f"{_range_in_words(computed)}{card.data}; {counted(systems, 'system')} and "
        f"{card.instances - systems:,} synthetic ones."
        f"{left_out_of_training(computed, naming)} Every r is over half of the sentences and includes "
        "synthetic systems, so it differs from that of *Metrics against people*."
    )


def _range_in_words(computed: Computed) -> str:
    """The lowest and the highest r of the learned metric over the splits, as a sentence before others."""
    held_out: Sequence[HeldOutMetric] = computed.result.held_out
    ranges = [
        f"{each.pearson.low:.2f} to {each.pearson.high:.2f}"
        f"{f' in {literal(each.domain)}' if _has_domains(computed) else ''}"
        for each in held_out
        if each.metric == LEARNED and each.pearson.low is not None and each.pearson.high is not None
    ]
    if not ranges or is_of_older_rule("learned-gmeg", computed.result.signature):
        return ""
    return f"r of {LEARNED} is {listed(ranges)} over {counted(computed.parameters.splits, 'split')}. "


def explanation(computed: Computed) -> str:
    """How the metric is trained and tested."""
    of_domains = " of each domain" if _has_domains(computed) else ""
    return (
        "GMEG-Metric (Napoles et al. 2019) is a ridge regression of people’s scores of systems on the "
        "statistics of other metrics, such as precision and recall by type of error. It learns from the "
        "judged systems and from synthetic ones, which take 10 % to 90 % of their sentences from one system "
        f"and the rest from another. In each of {computed.parameters.splits} random splits, half of the "
        f"sentences{of_domains} are held out: the model learns from the other half, and metrics are "
        "correlated with people on the held-out half."
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
