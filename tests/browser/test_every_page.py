"""Every page as every role, in light and dark, on a desktop and on a phone."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from uuid import uuid4

import pytest
from django.core.management import call_command
from playwright.sync_api import APIResponse, Response

from analysis.analyses.planning.when_to_stop import STOPPING
from annotate.models import Campaign, Corpus, Role, User
from tests.analysis.described import (
    compared_corpus,
    compared_with_people,
    covered_corpus,
    described_corpus,
    perfectly_corrected_corpus,
    reranked_corpus,
    validated_beside_people,
    validated_corpus,
)
from tests.analysis.references.collected_references import corrected_campaign, grown_corpus, validated_outputs
from tests.analysis.scored_campaigns import result_of
from tests.annotate import protocols
from tests.annotate.running import answer_all, cast, running
from tests.annotate.samples import campaign_without_texts, ranking, sentence, small_campaign, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import EVERY_LOOK, LOOKS, Visitor
from tests.depth import DEEP

HOSTILE = sentence(
    "<script>alert(1)</script> He go .", "<img src=x onerror=alert(1)> He goes .", "x" * 5000, ""
)

LONG_NAME = "n" * 200

PATIENCE_MS = 120_000
"""The first look at a ranking computes it, and the machine may have much else to do."""


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    """Judgments of a corpus with a script, a word of 5,000 characters and an empty output."""
    other = sentence("He go .", "He goes .", "He go .", "He went .", document=LONG_NAME)
    corpus = small_corpus(sentences=[HOSTILE, other])
    rankings = [
        ranking("anna", 0, "Alder > INPUT = Birch > Cedar"),
        ranking("ben", 0, "Alder > INPUT > Birch > Cedar"),
        ranking("ben", 1, ""),
        ranking(LONG_NAME, 1, "Alder > Birch INPUT > Cedar"),
    ]
    return small_campaign(corpus, rankings=rankings, synthetic=True)


SEEN_BY: dict[Role | None, tuple[str, str]] = {
    None: ("dark", "desktop"),
    Role.ANNOTATOR: ("light", "phone"),
    Role.RESEARCHER: ("dark", "phone"),
    Role.ADMIN: ("light", "desktop"),
}
"""In which colour scheme and on which device each role sees the pages; a stranger has none."""


def in_their_looks(*roles: Role | None) -> Iterator[tuple[Role | None, str, str]]:
    """The roles in their look, in a deep run each in every look."""
    for role in roles:
        for look in EVERY_LOOK if DEEP else [SEEN_BY[role]]:
            yield role, *look


@pytest.mark.slow
def test_every_page_as_every_role_that_sees_it(new_visitor: NewVisitor, campaign: Campaign) -> None:
    alone = campaign_without_texts()
    statistics = f"{described_corpus().get_absolute_url()}analyses/corpus-statistics/"
    grown = grown_corpus()
    written = corrected_campaign(grown)
    research = [
        *pages_of(campaign),
        statistics,
        f"{covered_corpus().get_absolute_url()}analyses/coverage/",
        f"{compared_corpus().get_absolute_url()}analyses/conservatism/",
        f"{reranked_corpus().get_absolute_url()}analyses/oracle-reranking/",
        f"{compared_with_people().get_absolute_url()}analyses/human-performance/",
        f"{validated_beside_people().get_absolute_url()}analyses/maege/",
        f"{validated_corpus().get_absolute_url()}analyses/lattice/",
        f"{perfectly_corrected_corpus().get_absolute_url()}analyses/perfect-corrector/",
        f"{grown.get_absolute_url()}analyses/grown-references/",
        f"{grown.get_absolute_url()}references/",
        f"{written.get_absolute_url()}analyses/corrections/",
        f"{written.get_absolute_url()}analyses/corrections-coverage/",
        f"{validated_outputs(grown).get_absolute_url()}analyses/valid-outputs/",
        alone.get_absolute_url(),
        f"{alone.get_absolute_url()}ranking/",
    ]
    result_of(STOPPING, campaign)
    next_questions = f"{campaign.get_absolute_url()}analyses/stopping/follow-up/"
    for role, scheme, device in in_their_looks(Role.RESEARCHER, Role.ADMIN):
        assert role
        visitor = new_visitor(scheme=scheme, device=device)
        visitor.log_in(account_of(role))
        for path in ["/", "/login/", *research]:
            visitor.visit(path)
        visitor.visit(next_questions, status=200 if role == Role.ADMIN else 403)
        visitor.visit(f"{statistics}?gold=all", status=400)
        visitor.visit(f"/corpora/{uuid4()}/", status=404)


def test_pages_that_are_refused(new_visitor: NewVisitor, campaign: Campaign) -> None:
    """To a stranger and to an annotator; whether anything has been computed does not matter."""
    research = pages_of(campaign)
    for role, scheme, device in in_their_looks(None, Role.ANNOTATOR):
        visitor = new_visitor(scheme=scheme, device=device)
        if role is None:
            for path in ["/", *research]:
                visitor.visit(path)
                assert "/login/" in visitor.page.url
        else:
            visitor.log_in(account_of(role))
            visitor.visit("/")
            visitor.visit("/login/")
            for path in [*research, f"/corpora/{uuid4()}/"]:
                visitor.visit(path, status=403)


def pages_of(campaign: Campaign) -> list[str]:
    """Pages of the campaign, of its corpus, and of neither."""
    of_corpus, of_campaign = campaign.corpus.get_absolute_url(), campaign.get_absolute_url()
    return [
        of_corpus,
        f"{of_corpus}analyses/",
        of_campaign,
        f"{of_campaign}ranking/",
        f"{of_campaign}reports-and-skips/",
        f"{of_campaign}export/",
        "/incentive/",
        "/how-many-judgments/",
    ]


def account_of(role: Role) -> User:
    account, _ = User.objects.get_or_create(
        username=f"a-{role.value}-with-a-long-name", defaults={"role": role}
    )
    return account


def test_the_pages_of_scores(
    new_visitor: NewVisitor, transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "current", protocols.SCALARS)
    campaign = running(items=3, annotators_per_item=2, shared_percent=100)
    for annotator in cast(campaign):
        answer_all(annotator)
    for role, scheme, device in in_their_looks(Role.RESEARCHER, Role.ADMIN):
        assert role
        visitor = new_visitor(scheme=scheme, device=device)
        visitor.log_in(account_of(role))
        visitor.visit(campaign.get_absolute_url())
        for query in ("", "?method=ew&tie_width=10", "?unit=judge&scores=z"):
            visitor.visit(f"{campaign.get_absolute_url()}ranking/{query}")
        visitor.picture(f"scores-{role.value}")


def test_pages_without_anything_say_what_to_do(new_visitor: NewVisitor, transactional_db: None) -> None:
    visitor = new_visitor()
    visitor.log_in(User.objects.create_user("rita", role=Role.RESEARCHER))
    visitor.visit("/")
    assert "import_corpus" in visitor.page.inner_text("main")


def test_logging_in_by_keyboard_and_out_again(new_visitor: NewVisitor, transactional_db: None) -> None:
    User.objects.create_user("rita", password="correct horse", role=Role.RESEARCHER)
    visitor = new_visitor()
    visitor.visit("/")
    page = visitor.page
    page.focus("[name=username]")
    page.keyboard.type("rita")
    page.keyboard.press("Tab")
    page.keyboard.type("battery")
    page.keyboard.press("Enter")
    page.get_by_role("alert").wait_for()
    visitor.check()
    page.focus("[name=password]")
    page.keyboard.type("correct horse")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Which system do people prefer?").wait_for()
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("heading", name="Log in").wait_for()


def test_a_search_that_is_wrong_says_so_beside_the_field(new_visitor: NewVisitor, campaign: Campaign) -> None:
    visitor = new_visitor(device="phone")
    visitor.log_in(User.objects.create_user("rita", role=Role.RESEARCHER))
    visitor.visit(f"{campaign.corpus.get_absolute_url()}?distinct=9999&page=2")
    assert "must be at most 500" in visitor.page.inner_text(".filter")


def test_a_walk_through_the_demo(new_visitor: NewVisitor, transactional_db: None) -> None:
    call_command("load_demo", verbosity=0)
    for scheme, device in LOOKS:
        walk_through_the_demo(new_visitor(scheme=scheme, device=device))


def walk_through_the_demo(visitor: Visitor) -> None:
    visitor.log_in(User.objects.get(username="demo-researcher"))
    visitor.visit("/")
    visitor.picture("home")
    corpus = Corpus.objects.get(name="demo")
    visitor.page.get_by_role("link", name="demo", exact=True).last.click()
    visitor.page.get_by_role("heading", name="Sentence 0").wait_for()
    visitor.picture("corpus")
    visitor.page.get_by_label("Distinct outputs").fill("7")
    visitor.page.get_by_role("button", name="Show").click()
    visitor.page.get_by_text("Show all").wait_for()
    assert visitor.page.locator("article").count() == corpus_sentences_with(corpus, distinct=7)
    visitor.page.locator("summary").first.click()
    visitor.check()
    visitor.visit("/")
    visitor.page.get_by_role("link", name="demo-judgments", exact=True).click()
    visitor.page.get_by_role("link", name="Annotator 1").first.click()
    visitor.check()
    visitor.picture("judgments")
    visitor.page.get_by_role("link", name="Ranking").click()
    visitor.page.get_by_role("heading", name="Head to head").wait_for()
    visitor.page.wait_for_load_state("load")
    assert "synthetic" in visitor.page.inner_text("h1")
    visitor.check()
    visitor.picture("ranking")


@pytest.mark.slow
def test_every_page_of_the_demo_opens(new_visitor: NewVisitor, transactional_db: None) -> None:
    """Whatever links lead to from the home page, once each, whatever the query; a deep run checks each.

    The browser opens the admin's pages. The researcher's, most of which are the same with less on them, are
    fetched without their figures; a deep run opens them as well.
    """
    call_command("load_demo", verbosity=0)
    everybody = (("demo-admin", 20, True), ("demo-researcher", 8, DEEP))
    known_files: set[str] = set()
    for (name, fewest, opens), look in product(everybody, EVERY_LOOK if DEEP else EVERY_LOOK[:1]):
        scheme, device = look
        visitor = new_visitor(scheme=scheme, device=device)
        visitor.log_in(User.objects.get(username=name))
        pages, files = ["/"], set()
        for path in pages:
            html = opened(visitor, path) if opens else fetched(visitor, path).text()
            for link, is_file in visitor.page.evaluate(LINKS, [html, f"{visitor.address}{path}"]):
                if is_file:
                    files.add(link)
                elif link not in pages:
                    pages.append(link)
        assert {page.rstrip("/").rpartition("/")[2] for page in pages} > {"ranking", "export"}
        assert len(pages) >= fewest, pages
        for file in files - known_files:
            fetched(visitor, file)
        known_files |= files


def opened(visitor: Visitor, path: str) -> str:
    """The page after its scripts have run. Nothing that it loads is refused."""
    refused: list[str] = []
    note = partial(note_refused, refused)
    visitor.page.on("response", note)
    visitor.page.goto(f"{visitor.address}{path}", wait_until="load", timeout=PATIENCE_MS)
    visitor.page.remove_listener("response", note)
    assert not refused + visitor.faults, path
    if DEEP:
        visitor.check()
    return visitor.page.content()


def fetched(visitor: Visitor, path: str) -> APIResponse:
    response = visitor.context.request.get(f"{visitor.address}{path}", timeout=PATIENCE_MS)
    assert response.ok, path
    return response


def note_refused(refused: list[str], response: Response) -> None:
    if response.status >= 400:
        refused.append(f"{response.status} {response.url}")


LINKS = """([html, address]) =>
    [...new DOMParser().parseFromString(html, "text/html").querySelectorAll("a[href]")]
        .map(link => [new URL(link.getAttribute("href"), address), link.hasAttribute("download")])
        .filter(([url]) => url.origin === new URL(address).origin)
        .map(([url, isFile]) => [url.pathname, isFile])"""


def corpus_sentences_with(corpus: Corpus, *, distinct: int) -> int:
    return sum(len(set(s.outputs.values_list("pk"))) == distinct for s in corpus.sentences.all())
