"""Nothing moves on a page of results while its figures load."""

from time import sleep

from django.core.cache import caches
from playwright.sync_api import Page, Route

from analysis.analyses.metrics.disagreements import DISAGREEMENTS
from analysis.analyses.metrics.sensitivity.hybrids import HYBRIDS
from analysis.analyses.planning.when_to_stop import STOPPING
from annotate.models import Role, User
from annotate.web.figure_sizes import SIZES
from tests.analysis.described import covered_corpus, validated_beside_people, validated_corpus
from tests.analysis.scored_campaigns import analysed, compared_campaign
from tests.annotate.samples import small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import LOOKS

MOST = 0.05
"""Half of what counts as a good score of layout shifts."""

ADDED_UP = """
    window.shifted = 0;
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) window.shifted += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
"""

PAINTED_TWICE = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def test_pages_leave_room_for_their_figures(new_visitor: NewVisitor, transactional_db: None) -> None:
    campaign = analysed(
        compared_campaign(small_corpus()), DISAGREEMENTS, HYBRIDS, STOPPING
    ).get_absolute_url()
    paths = [
        *(f"{campaign}{page}/" for page in ("ranking", "metrics", "metrics/disagreements", "quality")),
        *(f"{campaign}{page}/" for page in ("metrics/synthetic-systems", "analyses/stopping")),
        f"{covered_corpus().get_absolute_url()}analyses/coverage/",
        f"{validated_beside_people().get_absolute_url()}analyses/maege/",
        f"{validated_corpus().get_absolute_url()}analyses/lattice/",
    ]
    ada = User.objects.create_user("ada", role=Role.ADMIN)
    for scheme, device in LOOKS:
        caches[SIZES].clear()
        visitor = new_visitor(scheme=scheme, device=device)
        visitor.log_in(ada)
        visitor.page.add_init_script(ADDED_UP)
        seen = {path: shifted(visitor.page, f"{visitor.address}{path}") for path in paths}
        assert {path: by for path, by in seen.items() if by >= MOST} == {}, device


def test_columns_are_chosen_before_a_page_is_drawn(new_visitor: NewVisitor, transactional_db: None) -> None:
    """Even where their script comes late."""
    corpus = validated_corpus().get_absolute_url()
    visitor = new_visitor(device="phone")
    visitor.log_in(User.objects.create_user("ada", role=Role.ADMIN))
    page = visitor.page
    page.add_init_script(ADDED_UP)

    def late(route: Route) -> None:
        sleep(1)
        route.continue_()

    page.route("**/columns*.js", late)
    page.goto(f"{visitor.address}{corpus}analyses/lattice/", wait_until="load")
    assert page.get_by_role("button", name="Columns:").count() > 0
    page.evaluate(PAINTED_TWICE)
    assert page.evaluate("window.shifted") == 0


def test_a_printed_page_has_the_picture_that_the_screen_has_loaded(
    new_visitor: NewVisitor, transactional_db: None
) -> None:
    """Another picture would come too late, or be wider than the paper."""
    visitor = new_visitor()
    visitor.log_in(User.objects.create_user("ada", role=Role.ADMIN))
    visitor.page.set_viewport_size({"width": 1280, "height": 900})
    visitor.page.goto(f"{visitor.address}{covered_corpus().get_absolute_url()}analyses/coverage/")
    visitor.page.get_by_text("hardly more than a guess").click()
    picture = visitor.page.locator("figure img")
    on_screen = picture.evaluate("image => image.currentSrc")
    visitor.page.emulate_media(media="print")
    assert picture.evaluate("image => image.currentSrc") == on_screen
    visitor.page.set_viewport_size({"width": 420, "height": 600})
    assert picture.evaluate("image => image.width <= image.closest('.scroll').clientWidth")
    visitor.page.set_viewport_size({"width": 700, "height": 300})
    assert picture.evaluate("image => image.height <= innerHeight")


def shifted(page: Page, address: str) -> float:
    """By how much the page moves when its figures come after everything else was painted."""
    held: list[Route] = []
    is_painted = False

    def hold(route: Route) -> None:
        if is_painted:
            route.continue_()
        else:
            held.append(route)

    page.route("**/*.svg?*", hold)
    page.goto(address, wait_until="domcontentloaded")
    page.evaluate(PAINTED_TWICE)
    is_painted = True
    for route in held:
        route.continue_()
    page.wait_for_load_state("load")
    page.evaluate(PAINTED_TWICE)
    page.unroute("**/*.svg?*", hold)
    by: float = page.evaluate("window.shifted")
    return by
