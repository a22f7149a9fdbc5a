"""Overview of the site's campaigns, corpora and jobs, in a constant number of queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Max, QuerySet, Sum
from django.urls import reverse

from annotate.campaigns.progress import SlotCounts, slot_counts_of
from annotate.design.protocols import PROTOCOLS
from annotate.models import Campaign, CampaignState, Corpus, ScoreSet, ScoreSetState, User, Watch, listed
from annotate.web.registered_pages import Notice, findings_of, notices_of
from core.wording import are, beginning, in_words
from jobs.models import UNFINISHED, Job

RUNNING = (CampaignState.RUNNING, CampaignState.PAUSED, CampaignState.LAUNCHING)
JOBS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class RunningCampaign:
    """A campaign in which people judge, or soon will.

    Attributes:
        campaign: with the time of its last answer, `answered_at`.
        protocol: its title.
        slots: wanted judgments by state.
        notices: what an admin should look at.
    """

    campaign: Campaign
    protocol: str
    slots: SlotCounts
    notices: Sequence[Notice]


@dataclass(frozen=True, slots=True)
class SiteOverview:
    """The content of the home page.

    Attributes:
        running: campaigns in which people judge, the last answer first.
        drafts: campaigns that were not launched.
        results: closed and imported campaigns.
        corpora: with numbers of sentences, systems and scored metrics (`metric_count`).
        jobs: unfinished background jobs, the newest first, at most `JOBS_SHOWN`.
    """

    running: Sequence[RunningCampaign]
    drafts: Sequence[Campaign]
    results: Sequence[Campaign]
    corpora: Sequence[Corpus]
    jobs: Sequence[Job]

    @property
    def is_empty(self) -> bool:
        """Whether nothing can be ranked or judged yet."""
        return not (self.running or self.drafts or self.results)

    @property
    def active(self) -> int:
        """Number of running campaigns."""
        return sum(row.campaign.state == CampaignState.RUNNING for row in self.running)

    @property
    def held(self) -> int:
        """Number of wanted judgments that wait for a decision."""
        return sum(row.slots.held for row in self.running)

    @property
    def headline(self) -> str:
        """The overview in one line."""
        if self.active:
            campaigns = "campaign" if self.active == 1 else "campaigns"
            return f"{beginning(in_words(self.active))} {campaigns} {are(self.active)} running"
        if self.running:
            return "No campaign is running; some are paused or being prepared"
        return "No campaign is running"


def site_overview(user: User) -> SiteOverview:
    """The overview of everything on the site; only admins get notices."""
    campaigns = _with_findings(list(_with_progress(listed.campaigns())))
    running = [campaign for campaign in campaigns if campaign.state in RUNNING]
    running.sort(key=_last_answer, reverse=True)
    slots = slot_counts_of({campaign: _filled(campaign) for campaign in running}) if running else {}
    notices = notices_of(running) if user.is_admin else {}
    return SiteOverview(
        running=[
            RunningCampaign(
                campaign,
                PROTOCOLS[campaign.protocol].title,
                slots[campaign],
                _held_notice(campaign, slots[campaign], user) + notices.get(campaign.pk, []),
            )
            for campaign in running
        ],
        drafts=[campaign for campaign in campaigns if campaign.state == CampaignState.DRAFT],
        results=_with_stops(
            [
                campaign
                for campaign in campaigns
                if campaign.state in (CampaignState.CLOSED, CampaignState.IMPORTED)
            ]
        ),
        corpora=_with_metrics(listed.corpora()),
        jobs=list(Job.objects.filter(state__in=UNFINISHED).order_by("-created_at")[:JOBS_SHOWN]),
    )


def search(words: str) -> dict[str, object]:
    """Campaigns and corpora with these words in their names."""
    found = _with_progress(listed.campaigns().filter(name__icontains=words))
    return {
        "campaigns": _with_stops(_with_findings(list(found))),
        "corpora": _with_metrics(listed.corpora().filter(name__icontains=words)),
        "searchable": listed.corpora(),
    }


def _with_progress(campaigns: QuerySet[Campaign]) -> QuerySet[Campaign]:
    return campaigns.annotate(
        filled=Sum(F("annotators__complete") + F("annotators__auto"), filter=listed.BY_PEOPLE),
        annotator_count=Count("annotators", filter=listed.BY_PEOPLE),
        answered_at=Max("annotators__answered_at", filter=listed.BY_PEOPLE),
    )


def _with_findings(campaigns: list[Campaign]) -> list[Campaign]:
    """The campaigns; those with a result get their `finding`, a sentence."""
    findings = findings_of(campaigns)
    for campaign in campaigns:
        campaign.finding = findings.get(campaign.pk, "")  # type: ignore[attr-defined]  # for the template
    return campaigns


def _with_stops(campaigns: list[Campaign]) -> list[Campaign]:
    """The campaigns; those that stopped by themselves get their watch as `stopped`."""
    watches = Watch.objects.filter(campaign__in=campaigns).exclude(stopped_at=None)
    # A design may list a hundred thousand sentences.
    watches = watches.select_related("campaign__design").only(
        "judgments", "stopped_at", "campaign_id", "campaign__design__stops_when"
    )
    stopped = {watch.campaign_id: watch for watch in watches}
    for campaign in campaigns:
        campaign.stopped = stopped.get(campaign.pk)  # type: ignore[attr-defined]  # for the template
    return campaigns


def _with_metrics(corpora: QuerySet[Corpus]) -> list[Corpus]:
    """The corpora with their number of scored metrics, `metric_count`."""
    ready = ScoreSet.objects.filter(state=ScoreSetState.READY).order_by().values_list("corpus")
    scored = dict(ready.annotate(number=Count("name", distinct=True)))
    rows = list(corpora)
    for corpus in rows:
        corpus.metric_count = scored.get(corpus.pk, 0)  # type: ignore[attr-defined]  # for the template
    return rows


def _filled(campaign: Campaign) -> int:
    return campaign.filled or 0  # type: ignore[attr-defined]  # annotated


def _last_answer(campaign: Campaign) -> tuple[bool, datetime]:
    """Running campaigns first, each by its last answer or its last change."""
    answered: datetime | None = campaign.answered_at  # type: ignore[attr-defined]  # annotated
    return campaign.state == CampaignState.RUNNING, answered or campaign.touched_at


def _held_notice(campaign: Campaign, slots: SlotCounts, user: User) -> list[Notice]:
    if not (slots.held and user.is_admin):
        return []
    words = f"{slots.held:,} {'needs' if slots.held == 1 else 'need'} your decision"
    return [Notice(words, f"{reverse('manage-campaign', args=[campaign.uuid])}#held")]
