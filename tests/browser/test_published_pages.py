"""Leaderboards and pages of published rankings, as strangers and admins see them."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from analysis.models import Leaderboard, Publication
from annotate.corpora.withdrawal import take_back, withdraw
from annotate.models import Role, User
from formats.records import SentenceRecord
from tests.analysis.publishing.published import published_result
from tests.annotate.samples import RANKINGS, ranking, small_campaign, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import Visitor, looks

LARGEST = 150_000
"""Bytes of a page with all that it loads; style sheets are sent compressed elsewhere, and not here."""

LARGEST_SHIFT = 0.05

_WATCH_SHIFTS = """
    window.shifted = 0;
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
"""

SYSTEMS = [f"System-{number}" for number in range(1, 14)]


def wide_board() -> Leaderboard:
    """Two versions with thirteen systems, of which one joined late."""
    outputs = {"INPUT": "She go .", **{name: f"She goes to {name} ." for name in SYSTEMS}}
    corpus = small_corpus(sentences=[SentenceRecord("She go .", outputs, (), "", "")] * 4)
    ranked = " > ".join([*SYSTEMS, "INPUT"])
    rankings = [ranking(name, number, ranked) for name in ("anna", "ben") for number in range(4)]
    campaign = small_campaign(corpus, rankings=rankings)
    board = Leaderboard.objects.create(campaign=campaign, slug="spring-2026")
    withdraw(corpus, SYSTEMS[-1], by=None)
    published_result(campaign, title="Spring", leaderboard=board)
    take_back(corpus, SYSTEMS[-1], by=None)
    published_result(campaign, title="Summer", leaderboard=board)
    return board


def bytes_loaded(visitor: Visitor, path: str) -> int:
    """Those of the page and of everything that it loads, also while a reader scrolls to its end."""
    page, loaded = visitor.page, [0]
    session = visitor.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    page.goto(f"{visitor.address}{path}")
    _read_to_the_end(page)
    return int(sum(loaded))


def _read_to_the_end(page: Page) -> None:
    height = page.evaluate("document.documentElement.scrollHeight")
    for top in range(0, height, 600):
        page.evaluate(f"scrollTo(0, {top})")
        page.wait_for_load_state("networkidle")


@pytest.mark.parametrize(("scheme", "device"), looks("light", "desktop"))
def test_a_leaderboard_loads_little_and_nothing_moves(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    board = wide_board()
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.context.add_init_script(_WATCH_SHIFTS)
    assert bytes_loaded(visitor, board.get_absolute_url()) < LARGEST
    assert visitor.page.evaluate("shifted") < LARGEST_SHIFT
    visitor.check()
    expect(visitor.page.get_by_text("System-13 joined.")).to_be_visible()
    visitor.picture("leaderboard")
    visitor.page.get_by_text("Agreement of annotators, and").click()
    _read_to_the_end(visitor.page)
    assert visitor.page.evaluate("shifted") < LARGEST_SHIFT
    visitor.check()


@pytest.mark.parametrize(("scheme", "device"), looks("dark", "phone"))
def test_a_stranger_follows_the_versions_of_a_leaderboard(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    campaign = small_campaign(small_corpus(), rankings=RANKINGS)
    board = Leaderboard.objects.create(campaign=campaign, slug="spring-2026")
    first, second = (
        published_result(campaign, title=title, leaderboard=board) for title in ("Spring", "Summer")
    )
    visitor = new_visitor(scheme=scheme, device=device)
    page = visitor.page
    visitor.visit(board.get_absolute_url())
    page.get_by_role("link", name="All versions").first.click()
    page.get_by_role("heading", name="Version 1").wait_for()
    visitor.check()
    page.get_by_role("link", name="Spring").click()
    expect(page.get_by_text("This is version 1 of the leaderboard")).to_be_visible()
    visitor.check()
    visitor.log_in(User.objects.create_user("ada", role=Role.ADMIN))
    visitor.visit(f"/campaigns/{campaign.uuid}/published/")
    visitor.picture("published-leaderboard")
    page.get_by_role("button", name="Show version 1").click()
    expect(page.get_by_text("“spring-2026” shows version 1.")).to_be_visible()
    visitor.check()
    page.get_by_label("Name in the address").fill("a b")
    page.get_by_role("button", name="Create leaderboard").click()
    expect(page.get_by_text("Use 3 to 60")).to_be_visible()
    Publication.objects.filter(pk__in=[first.pk, second.pk]).update(retracted_at=timezone.now())
    visitor.visit(board.get_absolute_url(), status=410)
    visitor.visit(f"{board.get_absolute_url()}versions/")
    Leaderboard.objects.update(retired_at=timezone.now())
    visitor.visit(board.get_absolute_url(), status=410)
    visitor.visit(f"/campaigns/{campaign.uuid}/published/")
