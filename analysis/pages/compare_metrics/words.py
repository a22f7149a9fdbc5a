"""What the comparison of metrics over campaigns says: its finding, and what was compared."""

from collections import Counter
from collections.abc import Sequence

from analysis.analyses.leading import leading
from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.leading_metrics import clearly_above, not_separated
from analysis.analyses.metrics.metric_parts import BOOTSTRAP, about_marks
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.analyses.metrics.metrics_people_result import MetricsAgainstPeople
from analysis.analyses.metrics.metrics_people_tables import about_order
from analysis.pages.comparable_campaigns import (
    ANOTHER_PROTOCOL,
    DRAFT,
    FOLLOW_UP,
    MOST_CAMPAIGNS,
    SIMULATED,
    TOO_MANY,
)
from analysis.pages.compare_metrics.campaigns import FIGURES, Comparison
from core.wording import are, briefly, counted, in_words, listed, literal, percent
from ranking import Coefficient

KINDS = {
    SIMULATED: "with simulated judgments",
    DRAFT: "not launched",
    FOLLOW_UP: "to settle undecided pairs",
    ANOTHER_PROTOCOL: "of another protocol",
    TOO_MANY: f"beyond the first {MOST_CAMPAIGNS}",
}
"""Campaigns that are left out at first, by reason, after their number."""


def headline(shown: Comparison) -> str:
    """The result of campaigns, at least one of which has one, in a sentence."""
    means = {name: rank.mean for name, rank in shown.rows if rank.mean is not None}
    if not means:
        return f"Fewer than two metrics have {FIGURES[shown.figure]} in every campaign"
    best = [title_of_metric(name) for name, mean in means.items() if mean == min(means.values())]
    figure, over = FIGURES[shown.figure], [each.campaign for each in shown.with_result]
    simulated = sum(campaign.synthetic for campaign in over)
    if len(over) == 1:
        where = f"{over[0]}, which is simulated" if simulated else str(over[0])
        return f"{briefly(best, 'has', 'have')} the highest {figure} in {where}{_how_clearly(shown, best)}"
    of_which = f", {in_words(simulated)} of which {are(simulated)} simulated" if simulated else ""
    campaigns = f"{counted(len(over), 'campaign')}{of_which}"
    if shown.figure != Coefficient.PEARSON:
        have = briefly(best, "has", "have")
        return f"{have} the best mean rank by {figure} over {campaigns}; mean ranks are not tested"
    never = [title_of_metric(name) for name in never_below(shown)]
    metrics = f"{counted(len(means), 'metric')} in {campaigns}{',' if of_which else ''}"
    if not never:
        return f"Each of {metrics} is clearly below the highest r of at least one"
    if len(never) == len(means):
        return f"None of {metrics} is clearly below the highest r of any"
    return (
        f"Of {metrics.removesuffix(',')}, {briefly(never, 'is', 'are')} clearly below the highest r of none"
    )


def _how_clearly(shown: Comparison, best: Sequence[str]) -> str:
    """How clearly the best metrics of a single campaign lead, as the end of a sentence.

    By r, how many others are clearly below, as on *Metrics against people*; by other figures, the metrics
    within the interval of the best.
    """
    [only] = shown.with_result
    if shown.figure == Coefficient.PEARSON and only.result is not None:
        others, compared = not_below(only.result)[1:], only.result.tests[BOOTSTRAP].metrics
        return f", {clearly_above(others, compared)}" if len(best) == 1 else ""
    near = leading({name: only.estimate(name) for name, _ in shown.rows})
    others = [title for name in near if (title := title_of_metric(name)) not in best]
    those = "it" if len(best) == 1 else "them"
    return f"; the judgments do not separate {those} from {briefly(others)}" if others else ""


def not_below(result: MetricsAgainstPeople) -> list[str]:
    """The metric of the highest r, and those that are not clearly below."""
    r = {name: metric.pearson.value for name, metric in result.metrics.items()}
    return not_separated(r, result.tests[BOOTSTRAP])


def never_below(shown: Comparison) -> list[str]:
    """The metrics that no campaign shows to be clearly below its highest r, the best mean rank first."""
    best = [not_below(each.result) for each in shown.with_result if each.result]
    return [name for name, rank in shown.rows if rank.mean is not None and all(name in each for each in best)]


def about_campaigns(shown: Comparison) -> list[str]:
    """What is compared in each campaign, and what intervals and notes say."""
    said = [
        f"{literal(str(each.campaign))}: {counted(len(each.result.systems), 'system')}, "
        f"{counted(each.result.compared_sentences, 'sentence')}, {each.about}."
        for each in shown.with_result
        if each.result
    ]
    if any(each.estimate(name).low is not None for name, _ in shown.rows for each in shown.with_result):
        confidence = percent(METRICS_PEOPLE.parameters().confidence)
        lines = f"The lines are {confidence} intervals of the agreement on all sentences like these."
        said.append(
            f"{lines} {about_marks(about_below(shown))}" if shown.figure == Coefficient.PEARSON else lines
        )
    return said


def about_below(shown: Comparison) -> str:
    """Why a metric of low r may not be marked as below the highest; empty if none is so."""
    result = shown.with_result[0].result if shown.separates else None
    return about_order(result) if result else ""


def how_many(shown: Comparison) -> str:
    """How many campaigns are shown, and why the others are not, in sentences; empty if all are."""
    compared = [each.campaign for each in shown.compared]
    others = Counter(each.left_out or "not chosen" for each in shown.offered if each.campaign not in compared)
    if not others:
        return ""
    reasons = listed([f"{number:,} {KINDS.get(why, why)}" for why, number in others.items()])
    return (
        f"Of {counted(len(shown.offered), 'campaign')} that can be compared, {len(compared):,} "
        f"{are(len(compared))} shown; the others ({reasons}) can be chosen under *Change settings*."
    )


def about_mean_ranks(shown: Comparison) -> list[str]:
    """Over what the mean ranks are, in sentences; empty if there are none."""
    if not shown.has_mean_ranks:
        return []
    ranked = sum(rank.mean is not None for _, rank in shown.rows)
    over = [f"{each.campaign} ({each.about})" for each in shown.with_result]
    said = [
        f"The mean rank is over {listed(over)}, among the {ranked} metrics with a value in each of them.",
        "Each campaign counts once, however many judgments it has.",
    ]
    corpora = Counter(each.campaign.corpus for each in shown.with_result)
    said += [
        f"{counted(number, 'campaign')} are of the corpus {corpus}, so its systems count more often."
        for corpus, number in corpora.items()
        if number > 1
    ]
    if without := [str(each.campaign) for each in shown.compared if each.result is None]:
        said.append(f"Without a result yet, and so left out: {listed(without)}.")
    return said
