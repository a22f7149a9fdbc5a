"""Pages about a campaign, and figures, that apps register when they start.

So a page of `annotate` links to those of the apps above without a name of theirs.
"""

from collections.abc import Callable
from dataclasses import dataclass

from annotate.models import Campaign, User


def _to_researchers(user: User, campaign: Campaign) -> bool:
    return user.may_research


@dataclass(frozen=True, slots=True)
class CampaignPage:
    """A page about a campaign, among the tabs of the others.

    Attributes:
        title: of its tab.
        url_name: of its address, which has the campaign's UUID.
        place: pages are shown in the order of these numbers.
        is_shown: whether an account is shown the tab at a campaign; the page itself states who may open it.
        shows_result: whether the list of campaigns links to it as their result, once there are judgments.
    """

    title: str
    url_name: str
    place: int
    is_shown: Callable[[User, Campaign], bool] = _to_researchers
    shows_result: bool = False


_pages: dict[str, CampaignPage] = {}
_figures: dict[str, str] = {}


def register_campaign_page(page: CampaignPage) -> None:
    """Show a tab for the page at every campaign."""
    _pages[page.url_name] = page


def register_figure(subject: str, url_name: str) -> None:
    """Show the figure of this subject where pages have a place for it.

    Its address has the UUID of what is shown, and the type of the image: svg or png.
    """
    _figures[subject] = url_name


def campaign_pages(user: User, campaign: Campaign) -> list[CampaignPage]:
    """The pages about the campaign of which the account is shown tabs, in order."""
    pages = sorted(_pages.values(), key=lambda page: page.place)
    return [page for page in pages if page.is_shown(user, campaign)]


def result_page() -> CampaignPage:
    """The page that shows what came out of a campaign."""
    return next(page for page in _pages.values() if page.shows_result)


def figure_url_name(subject: str) -> str:
    """The name of the address of the figure of this subject."""
    return _figures[subject]
