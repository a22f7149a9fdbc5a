"""A shared task from the call for participation to the leaderboard with a late submission."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Locator

from analysis.models import Publication
from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.judging.handout import give_next_showing
from annotate.models import Annotator, Campaign, Corpus, Judgment, Role, System, User
from jobs.worker import run_queued_jobs
from tests.annotate.corpora.test_additions import state_of
from tests.annotate.protocols import RANKING
from tests.annotate.running import answer, answer_all
from tests.annotate.samples import sentence, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import Visitor

SENTENCES = 45
JUDGMENTS = 50
ON_TIME, LATE = ("Alder", "Birch", "Cedar"), "Elm"


class Steps:
    """A person at a browser, whose clicks and filled fields are counted."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor, self.page = visitor, visitor.page
        self.clicks = self.fields = 0

    def click(self, target: Locator) -> None:
        """Click, and check the page that it leads to."""
        target.click()
        self.clicks += 1
        self.visitor.check()

    def link(self, name: str) -> None:
        """Follow a link."""
        self.click(self.page.get_by_role("link", name=name).first)

    def button(self, name: str) -> None:
        """Press a button."""
        self.click(self.page.get_by_role("button", name=name).first)

    def fill(self, label: str, text: str) -> None:
        """Fill a field."""
        self.page.get_by_label(label).fill(text)
        self.fields += 1


def outputs_of(name: str) -> str:
    """A file of outputs: each system corrects other sentences, so that many outputs are the same."""
    number = (*ON_TIME, LATE).index(name)
    return "".join(
        f"He {'goes' if (place + number) % 3 else 'go'} to house {place} .\n" for place in range(SENTENCES)
    )


def submit(visitor: Visitor, link: str, name: str, folder: Path) -> Steps:
    """A participant submits a system and sees that it is in."""
    file = folder / f"{name}.txt"
    file.write_text(outputs_of(name) if name != LATE else outputs_of(name).replace("house 4", "home 4"))
    steps = Steps(visitor)
    visitor.visit(link)
    steps.fill("Name of the system", name)
    steps.page.get_by_label("Outputs").set_input_files(file)
    steps.fields += 1
    steps.button("Check the file")
    steps.button("Submit this file")
    steps.page.get_by_role("heading", name="Your submission is in").wait_for()
    return steps


def launch(steps: Steps) -> Campaign:
    """Launch the draft on the page."""
    steps.link("Launch")
    steps.button("Launch")
    run_queued_jobs()
    return Campaign.objects.latest("pk")


@pytest.mark.deep
@pytest.mark.parametrize(("scheme", "device"), [("light", "desktop"), ("dark", "phone")])
def test_a_shared_task_with_a_late_system(
    new_visitor: NewVisitor,
    transactional_db: None,
    tmp_path: Path,
    scheme: str,
    device: str,
    record_property: Callable[[str, object], None],
) -> None:
    """Every page of the walk is accessible, fits the window and leads on."""
    corpus = small_corpus(
        "test set", sentences=[sentence(f"He go to house {place} .") for place in range(SENTENCES)]
    )
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(User.objects.create_user("lena", role=Role.ADMIN))
    organiser = Steps(visitor)
    visitor.visit(corpus.get_absolute_url())
    link = call_for_participation(organiser)
    participants = [
        submit(new_visitor(scheme=scheme, device=device), link, name, tmp_path) for name in ON_TIME
    ]
    accept_all(organiser, corpus)

    visitor.visit(corpus.get_absolute_url())
    organiser.link("New campaign")
    organiser.button("Choose Relative ranking")
    organiser.fill("Name", "First round")
    organiser.fill("Number of items", "43")
    organiser.button("Save the draft")
    first = launch(organiser)
    assert first.protocol == RANKING
    annotators = [add_annotator(first, name=name) for name in ("ann", "ben", "cleo")]
    for annotator in annotators:  # A batch each, then what is left.
        showing = give_next_showing(annotator, now=timezone.now())
        assert showing is not None
        answer(showing, timezone.now())
    for annotator in annotators:
        answer_all(annotator, timezone.now())
    assert Judgment.objects.filter(campaign=first).count() >= JUDGMENTS
    before = state_of(first)

    late = submit(new_visitor(scheme=scheme, device=device), link, LATE, tmp_path)
    accept_all(organiser, corpus)
    assert set(System.objects.values_list("name", flat=True)) == {"INPUT", *ON_TIME, LATE}
    assert state_of(first) == before

    visitor.visit(f"/campaigns/{first.uuid}/manage/")
    organiser.link("Ask about new systems")
    organiser.button("Make the draft")
    second = launch(organiser)
    last = add_annotator(second, name="dora")
    answer_all(last, timezone.now())
    Annotator.objects.filter(pk=last.pk).update(has_read_guidelines=True, has_practised=True)
    thanks(new_visitor(scheme=scheme, device=device), mint_personal_link(last))
    assert state_of(first) == before

    visitor.visit(f"/campaigns/{second.uuid}/ranking/")
    board = organiser.page.locator("table").first.inner_text()
    assert all(name in board for name in (*ON_TIME, LATE))
    for campaign in (first, second):
        visitor.visit(f"/campaigns/{campaign.uuid}/manage/")
        organiser.button("Close")
    visitor.visit(f"/campaigns/{second.uuid}/ranking/")
    organiser.click(organiser.page.get_by_role("link", name="Publish", exact=True))
    organiser.fill("Title", "Shared task")
    organiser.button("Publish")
    run_queued_jobs()
    leaderboard = new_visitor(scheme=scheme, device=device)
    leaderboard.visit(Publication.objects.get().get_absolute_url())
    ranked = leaderboard.page.locator("table").first.inner_text()
    assert all(name in ranked for name in (*ON_TIME, LATE))
    everybody = [organiser, *participants, late]
    record_property("clicks", [steps.clicks for steps in everybody])
    record_property("fields", [steps.fields for steps in everybody])


def call_for_participation(organiser: Steps) -> str:
    """The path of a new submission link."""
    organiser.link("Submissions")
    organiser.fill("Name of the task", "Shared task")
    ends_at = timezone.localtime(timezone.now() + timedelta(days=1))
    organiser.fill("Open until", ends_at.strftime("%Y-%m-%dT%H:%M"))
    organiser.button("Make the link")
    address = organiser.page.locator("code[id^=link-]").inner_text()
    return address.removeprefix(organiser.visitor.address)


def accept_all(organiser: Steps, corpus: Corpus) -> None:
    """Accept every submission that waits."""
    organiser.visitor.visit(f"/corpora/{corpus.uuid}/submissions/")
    while organiser.page.get_by_role("button", name="Accept").count():
        organiser.button("Accept")
        run_queued_jobs()
        organiser.visitor.visit(f"/corpora/{corpus.uuid}/submissions/")


def thanks(visitor: Visitor, token: str) -> None:
    """An annotator comes back after the last screen, and is thanked."""
    visitor.visit(f"/join/{token}/")
    visitor.page.get_by_role("button", name="Start").click()
    visitor.page.get_by_text("Thank you").first.wait_for()
    visitor.check()
