"""The campaigns whose metrics are compared, with the stored results of metrics against people of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.against_people import CORRELATIONS
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.analyses.metrics.metrics_people_result import MetricAgainstPeople, MetricsAgainstPeople
from analysis.pages.comparable_campaigns import MOST_CAMPAIGNS, Offered, comparable_campaigns
from analysis.runs.queries import Current, current
from analysis.runs.requests import Request, request_of
from annotate.models import Campaign
from annotate.web.access import AccountRequest
from core.wording import counted
from metrics.meta_evaluation import Estimate, MeanRank, mean_ranks
from ranking import Coefficient

FIGURES = {
    **CORRELATIONS,
    "spa": "SPA",
    "accuracy": "Accuracy",
    "tau": "Tau by sentences",
    "acc_eq": "acc*eq by sentences",
}
"""Figures that can be compared, by name in addresses."""

NOT_SCORED = "the metric has no scores in this campaign"
NO_RESULT = "there is no result yet"


@dataclass(frozen=True, slots=True)
class ComparedCampaign:
    """A campaign on the page.

    Attributes:
        campaign: the campaign.
        judgments: number of its judgments.
        figure: name in `FIGURES` of what is compared.
        request: of the result that is shown.
        shown: what is stored of it.
    """

    campaign: Campaign
    judgments: int
    figure: str
    request: Request
    shown: Current

    @property
    def result(self) -> MetricsAgainstPeople | None:
        """The newest result; None if there is none."""
        result: MetricsAgainstPeople | None = self.shown.result
        return result

    @property
    def about(self) -> str:
        """How many judgments it has, and whether they are simulated."""
        simulated = ", simulated" if self.campaign.synthetic else ""
        return f"{counted(self.judgments, 'judgment')}{simulated}"

    @property
    def signature(self) -> str | None:
        """The signature of the result."""
        return None if self.result is None else self.result.signature

    @property
    def is_missing(self) -> bool:
        """Whether a result is missing or out of date, and no job is on its way."""
        job = self.shown.job
        return (self.shown.result is None or self.shown.is_outdated) and (job is None or job.is_finished)

    def estimate(self, metric: str) -> Estimate:
        """The figure of a metric in this campaign."""
        if self.result is None:
            return Estimate(None, None, None, NO_RESULT)
        found = self.result.metrics.get(metric)
        return Estimate(None, None, None, NOT_SCORED) if found is None else estimate_of(found, self.figure)


Ranked = tuple[str, MeanRank]
"""A metric by name, with its ranks among the metrics that all campaigns with a result have."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The content of the page.

    Attributes:
        figure: name of the figure in `FIGURES`.
        offered: all campaigns that can be compared, by name, and why some are not unless chosen.
        compared: those that are.
        rows: metrics, the best mean rank first, those without one last.
    """

    figure: str
    offered: Sequence[Offered]
    compared: Sequence[ComparedCampaign]
    rows: Sequence[Ranked]

    @property
    def with_result(self) -> list[ComparedCampaign]:
        """The campaigns that have a result."""
        return [each for each in self.compared if each.result is not None]

    @property
    def is_of_one(self) -> bool:
        """Whether a single campaign is shown, so that its table draws what the figure does."""
        return len(self.compared) == 1

    @property
    def separates(self) -> bool:
        """Whether tests say which metrics are below the best one: of r, in a single campaign."""
        return self.figure == Coefficient.PEARSON and self.is_of_one and bool(self.with_result)

    @property
    def has_mean_ranks(self) -> bool:
        """Whether ranks are a mean over several campaigns, and not the order of the rows once more."""
        return len(self.with_result) > 1 and any(rank.mean is not None for _, rank in self.rows)

    @property
    def signature(self) -> str:
        """The signatures of the results, one in a line."""
        return "\n".join(each.signature for each in self.compared if each.signature)

    @property
    def query(self) -> str:
        """The address of this comparison."""
        chosen = [("campaign", str(each.campaign.uuid)) for each in self.compared]
        return urlencode([("figure", self.figure), *chosen])


def estimate_of(metric: MetricAgainstPeople, figure: str) -> Estimate:
    """The figure of this name in `FIGURES`; acc*eq has no interval."""
    if figure == "tau":
        return metric.sentences.tau
    if figure != "acc_eq":
        estimate: Estimate = getattr(metric, figure)
        return estimate
    calibrated = metric.sentences.calibrated
    if calibrated is None:
        return Estimate(None, None, None, metric.sentences.reason)
    return Estimate(calibrated.accuracy, None, None, calibrated.reason)


def comparison(request: AccountRequest) -> Comparison:
    """The comparison that the address requests; of campaigns alike if it names none.

    Raises:
        Http404: it names a figure or a campaign that cannot be compared, or too many campaigns.
    """
    figure = request.GET.get("figure", "pearson")
    offered = comparable_campaigns()
    by_uuid = {str(each.campaign.uuid): each for each in offered}
    asked = list(dict.fromkeys(request.GET.getlist("campaign")))
    if figure not in FIGURES or not by_uuid.keys() >= set(asked) or len(asked) > MOST_CAMPAIGNS:
        raise Http404
    chosen = [by_uuid[uuid] for uuid in asked] or [each for each in offered if not each.left_out]
    compared = []
    for each in chosen:
        wanted = request_of(METRICS_PEOPLE, each.campaign, METRICS_PEOPLE.parameters())
        shown = current(wanted, asked_by=request.user)
        compared.append(ComparedCampaign(each.campaign, each.judgments, figure, wanted, shown))
    return Comparison(figure, offered, compared, compared_rows(compared))


def compared_rows(compared: Sequence[ComparedCampaign]) -> list[Ranked]:
    """The metrics of all results, the best mean rank first."""
    with_result = [each for each in compared if each.result is not None]
    names = dict.fromkeys(name for each in with_result if each.result for name in each.result.metrics)
    ranks = mean_ranks({name: [each.estimate(name).value for each in with_result] for name in names})
    return sorted(
        ranks.items(), key=lambda row: (row[1].mean is None, row[1].mean or 0.0, title_of_metric(row[0]))
    )
