"""Pages about a campaign or a corpus, figures, panels and notices that apps register when they start.

So pages of `annotate` link to pages of the apps above, and show their results, without naming them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from annotate.models import Campaign, Corpus, User


def _to_researchers(user: User, campaign: Campaign) -> bool:
    return user.may_research


@dataclass(frozen=True, slots=True)
class CampaignPage:
    """A page about a campaign, one of its places.

    Attributes:
        title: of its place.
        url_name: of its address, which has the campaign's UUID.
        place: pages are shown in the order of these numbers.
        parts: URL names of the pages that one comes to from this one, on which its place stays marked.
        is_shown: whether an account sees the place for a campaign; the page itself states who may open it.
        shows_result: whether the list of campaigns links to it as their result, once there are judgments.
        count: attribute of the campaign with the number shown beside the title, where the page has read it.
    """

    title: str
    url_name: str
    place: int
    parts: tuple[str, ...] = ()
    is_shown: Callable[[User, Campaign], bool] = _to_researchers
    shows_result: bool = False
    count: str = ""


@dataclass(frozen=True, slots=True)
class CorpusPage:
    """A page about a corpus, one of its places, shown to everyone who may read the corpus.

    Attributes: see `CampaignPage`.
    """

    title: str
    url_name: str
    place: int
    parts: tuple[str, ...] = ()
    count: str = ""


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page about several campaigns, to which the list of campaigns links.

    Attributes:
        title: text of the link.
        url_name: URL name of the page.
    """

    title: str
    url_name: str


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the overview of a campaign: what is known so far.

    Attributes:
        template: what it is shown by.
        context: what the template needs, beside the campaign, as `panel`.
        is_narrow: whether it stands in the narrow column.
    """

    template: str
    context: Mapping[str, object]
    is_narrow: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about a campaign that an admin should look at.

    Attributes:
        text: a number with its noun: "2 flags".
        url: where to look.
    """

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class PeoplesRanking:
    """How people ranked the systems of a corpus.

    Attributes:
        campaign: whose judgments it is computed from.
        ranks: the rank range of each system in words, by name, the best system first.
    """

    campaign: Campaign
    ranks: Mapping[str, str]


AddressOfAnalysis = Callable[[Campaign | Corpus, str], str]
"""Gives the address of an analysis, by name, of a campaign or corpus."""

Findings = Callable[[Sequence[Campaign]], Mapping[int, str]]
"""Gives the main result of some campaigns in a sentence, by key."""

PeoplesRankings = Callable[[Corpus], PeoplesRanking | None]
"""Gives the ranking of the systems of a corpus by people, if there is one."""

Panels = Callable[[Campaign, User], Sequence[Panel]]
Notices = Callable[[Sequence[Campaign]], Mapping[int, Notice]]
"""Gives notices about some campaigns for admins, by key."""

_panels: list[Panels] = []
_addresses_of_analyses: list[AddressOfAnalysis] = []
_notices: list[Notices] = []
_findings: list[Findings] = []
_peoples_rankings: list[PeoplesRankings] = []
_campaign_pages: dict[str, CampaignPage] = {}
_corpus_pages: dict[str, CorpusPage] = {}
_site_pages: dict[str, SitePage] = {}
_figures: dict[str, str] = {}


def register_addresses_of_analyses(address: AddressOfAnalysis) -> None:
    """Register where the pages of analyses are."""
    _addresses_of_analyses.append(address)


def address_of_analysis(subject: Campaign | Corpus, name: str) -> str:
    """The page of the analysis of this name."""
    [address] = _addresses_of_analyses
    return address(subject, name)


def register_campaign_page(page: CampaignPage) -> None:
    """Register the page as a place of every campaign."""
    _campaign_pages[page.url_name] = page


def register_corpus_page(page: CorpusPage) -> None:
    """Register the page as a place of every corpus."""
    _corpus_pages[page.url_name] = page


def register_site_page(page: SitePage) -> None:
    """Register the page as a link of the list of campaigns."""
    _site_pages[page.url_name] = page


def register_figure(subject: str, url_name: str) -> None:
    """Register the figure of this subject for pages that have a place for it.

    Its address has the UUID of what is shown, and the type of the image: svg or png.
    """
    _figures[subject] = url_name


def register_panels(panels: Panels) -> None:
    """Show these panels on the overview of every campaign; they are read from stored results."""
    _panels.append(panels)


def register_notices(notices: Notices) -> None:
    """Show these notices at the campaigns of the home page."""
    _notices.append(notices)


def register_findings(findings: Findings) -> None:
    """Show these sentences at the campaigns of the home page; they are read from stored results."""
    _findings.append(findings)


def register_peoples_rankings(rankings: PeoplesRankings) -> None:
    """Show metric scores beside these rankings; they are read from stored results."""
    _peoples_rankings.append(rankings)


def peoples_ranking(corpus: Corpus) -> PeoplesRanking | None:
    """The ranking of the systems of the corpus by people; None if there is none yet."""
    [ranking] = _peoples_rankings
    return ranking(corpus)


def panels_of(campaign: Campaign, user: User) -> list[Panel]:
    """The panels of results on the overview of the campaign."""
    return [panel for panels in _panels for panel in panels(campaign, user)]


def notices_of(campaigns: Sequence[Campaign]) -> dict[int, list[Notice]]:
    """The notices about each of the campaigns, by key."""
    noted = [notices(campaigns) for notices in _notices] if campaigns else []
    return {campaign.pk: [at[campaign.pk] for at in noted if campaign.pk in at] for campaign in campaigns}


def findings_of(campaigns: Sequence[Campaign]) -> dict[int, str]:
    """The main result of each of the campaigns that has one, by key."""
    return {key: said for findings in _findings for key, said in findings(campaigns).items()}


def campaign_pages(user: User, campaign: Campaign) -> list[CampaignPage]:
    """The pages about the campaign that the account sees, in order."""
    pages = sorted(_campaign_pages.values(), key=lambda page: page.place)
    return [page for page in pages if page.is_shown(user, campaign)]


def corpus_pages() -> list[CorpusPage]:
    """The pages about a corpus, in order."""
    return sorted(_corpus_pages.values(), key=lambda page: page.place)


def site_pages() -> list[SitePage]:
    """The pages about several campaigns, in the order in which they were registered."""
    return list(_site_pages.values())


def result_page() -> CampaignPage:
    """The page with a campaign's result."""
    return next(page for page in _campaign_pages.values() if page.shows_result)


def figure_url_name(subject: str) -> str:
    """The name of the address of the figure of this subject."""
    return _figures[subject]
