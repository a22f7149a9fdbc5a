"""A worker of a crowd platform, from entry to return; and the admin who sets this up."""

import pytest
from playwright.sync_api import Page, Route

from annotate.models import Campaign, Crowd, Role, User, Visit
from tests.annotate.crowds import crowd_of
from tests.annotate.running import running
from tests.browser.conftest import NewVisitor
from tests.browser.visits import LOOKS, Visitor, looks
from tests.browser.working import answer_by_keys, wait_for_another

WORKER = "PROLIFIC_PID=w1&SESSION_ID=s1&STUDY_ID=%3Cb%3E"
TURK = "workerId=A1&assignmentId=a1&hitId=h1&turkSubmitTo=https://www.mturk.com"
PREVIEW = "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=h1"
CONSENT = (
    "We store your answers.\n\n| what | why |\n|---|---|\n| answers | science |\n\n<script>alert(1)</script>"
)


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    """One batch of two screens."""
    return running(items=2)


def judge(visitor: Visitor) -> None:
    """Rank what is shown by keyboard, twice, and see the end."""
    page = visitor.page
    page.locator("[data-ready]").wait_for()
    wait_for_another(page, _all_first(page))
    _all_first(page)
    page.get_by_role("heading", name="Thank you, you are done").wait_for()


def _all_first(page: Page) -> str:
    return answer_by_keys(page, "1" * page.locator("fieldset").count())


@pytest.mark.parametrize(("scheme", "device"), LOOKS)
def test_from_the_platforms_address_to_the_way_back(
    new_visitor: NewVisitor, campaign: Campaign, scheme: str, device: str
) -> None:
    crowd = crowd_of(campaign, consent=CONSENT)
    worker = new_visitor(scheme=scheme, device=device)
    worker.visit(f"/crowd/{crowd.entrance}/?{WORKER}")
    worker.picture("consent")
    worker.page.get_by_role("button", name="I do not want to take part").click()
    worker.page.get_by_role("heading", name="You are not taking part").wait_for()
    worker.check()
    worker.picture("declined")
    worker.visit(f"/crowd/{crowd.entrance}/?{WORKER}")
    worker.page.get_by_role("button", name="I agree, begin").click()
    worker.page.locator("[data-ready]").wait_for()
    worker.visit(f"/crowd/{crowd.entrance}/?{WORKER}")
    worker.page.keyboard.press("Enter")
    judge(worker)
    worker.check()
    worker.picture("visit-end")
    back = worker.page.get_by_role("link", name="Back to Prolific")
    assert back.get_attribute("href") == "https://app.prolific.com/submissions/complete?cc=PASSED"


def test_a_refused_worker_sees_the_reason(new_visitor: NewVisitor, campaign: Campaign) -> None:
    crowd = crowd_of(campaign)
    visitor = new_visitor(device="phone")
    visitor.visit(f"/crowd/{crowd.entrance}/", status=400)
    visitor.picture("broken-address")
    Campaign.objects.update(state="closed")
    visitor.visit(f"/crowd/{crowd.entrance}/?{WORKER}")
    visitor.picture("turned-away")


def test_a_frame_on_mechanical_turk(new_visitor: NewVisitor, campaign: Campaign) -> None:
    crowd = crowd_of(campaign, platform="mturk")
    worker = new_visitor()
    frame = f"{worker.address}/crowd/{crowd.entrance}/frame/"
    handed_in: list[str | None] = []

    def turk(route: Route) -> None:
        if "externalSubmit" in route.request.url:
            handed_in.append(route.request.post_data)
            route.fulfill(body="Thank you.")
            return
        query = PREVIEW if "preview" in route.request.url else TURK
        source = f"{frame}?{query}".replace("&", "&amp;")
        # The browser asks before a page of the web may show one of this machine, as the server under test is.
        allow = "local-network-access; loopback-network"
        body = f'<iframe allow="{allow}" src="{source}" width="900" height="600"></iframe>'
        route.fulfill(body=body, content_type="text/html")

    worker.context.grant_permissions(["local-network-access"])
    worker.context.route("https://*.mturk.com/**", turk)
    task = worker.page.frame_locator("iframe")
    worker.page.goto("https://worker.mturk.com/preview")
    task.get_by_role("heading", name="Preview").wait_for()
    worker.page.goto("https://worker.mturk.com/accepted")
    with worker.context.expect_page() as opened:
        task.get_by_role("link", name="Open the task").click()
    outer, worker.page = worker.page, opened.value
    worker.page.get_by_role("button", name="I agree, begin").click()
    judge(worker)
    task.get_by_role("link", name="I am done").click()
    task.get_by_role("button", name="Hand in on Mechanical Turk").click()
    outer.frame_locator("iframe").get_by_text("Thank you.").wait_for()
    assert handed_in == ["assignmentId=a1&code=PASSED"]
    worker.forgive("request to another host: https://w")
    assert Visit.objects.get().outcome == "passed"


@pytest.mark.parametrize("query", [PREVIEW, TURK])
@pytest.mark.parametrize(("scheme", "device"), [("light", "phone"), ("dark", "desktop")])
def test_content_of_the_frame(
    new_visitor: NewVisitor, campaign: Campaign, scheme: str, device: str, query: str
) -> None:
    crowd = crowd_of(campaign, platform="mturk", consent=CONSENT)
    new_visitor(scheme=scheme, device=device).visit(f"/crowd/{crowd.entrance}/frame/?{query}")


@pytest.mark.parametrize(("scheme", "device"), looks("light", "desktop"))
def test_an_admin_sets_up_a_crowd(
    new_visitor: NewVisitor, campaign: Campaign, scheme: str, device: str
) -> None:
    admin = new_visitor(scheme=scheme, device=device)
    admin.log_in(User.objects.create_user("ada", role=Role.ADMIN))
    admin.visit(f"/campaigns/{campaign.uuid}/manage/")
    admin.page.get_by_role("link", name="Recruit on a crowd platform").click()
    admin.page.get_by_label("Another one").check()
    admin.page.get_by_role("button", name="Save").click()
    admin.page.get_by_text("Enter the parameter that holds").wait_for()
    admin.check()
    admin.page.get_by_label("Parameter of the worker's id").fill("pid")
    admin.page.get_by_role("button", name="Save").click()
    admin.page.get_by_role("heading", name="Address for the platform").wait_for()
    admin.check()
    worker = new_visitor(device=device)
    worker.visit(f"/crowd/{Crowd.objects.get().entrance}/?pid={'w' * 128}")
    worker.page.get_by_role("button", name="I agree, begin").click()
    judge(worker)
    admin.visit(f"/campaigns/{campaign.uuid}/crowd/")
    admin.page.get_by_role("cell", name="passed").wait_for()
    admin.picture("crowd-settings")
