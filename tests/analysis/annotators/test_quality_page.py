"""The quality page, and excluding annotators from the ranking."""

import json
import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from pytest_django import DjangoAssertNumQueries, DjangoDbBlocker

from analysis.models import Run
from analysis.runs import queries
from annotate.judging.exclusions import exclude
from annotate.judgments.pseudonyms import pseudonym
from annotate.models import Annotator, Campaign, Revision
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.analysis.stored import forget_results
from tests.annotate.checked import checked_campaign, judged_by
from tests.annotate.running import cast, running
from tests.annotate.samples import ranking, sentence, small_campaign, small_corpus
from tests.annotate.terms import without_meanings

ANY_ANSWERS = "same_answer=100"
"""Nobody is flagged for it: four screens may by chance show their outputs in the same order."""


@pytest.fixture(scope="module")
def checked(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Campaign]:
    """Judged once for all tests here; what they change is undone."""
    with django_db_blocker.unblock(), transaction.atomic():
        campaign = checked_campaign()
        for name, control in (("anna", 10), ("ben", 20), ("carl", 80)):
            judged_by(campaign, name, control=control)
        yield campaign
        transaction.set_rollback(True)


@pytest.fixture
def campaign(checked: Campaign, db: None) -> Campaign:
    cache.clear()
    return Campaign.objects.get(pk=checked.pk)


def page(client: Client, campaign: Campaign, query: str = "") -> str:
    return client.get(f"/campaigns/{campaign.uuid}/quality/{query}").content.decode().partition("<main")[2]


SIGNS, FIGURES = "Annotators by signs of careless work", "Figures of each annotator"


def row(text: str, name: str, table: str = SIGNS) -> str:
    """The words of an annotator's row."""
    named = f'<bdi>{name}</bdi> <small class="unbroken">Annotator'
    body = text.partition(f"{table}</caption>")[2].partition("</table>")[0]
    [row] = [part for part in body.split("<tr>") if named in part]
    return " ".join(re.sub(r"<[^>]+>", " ", row.partition("</tr>")[0]).split())


def change(client: Client, campaign: Campaign, name: str, verb: str, **sent: str) -> str:
    key = Annotator.objects.get(campaign=campaign, name=name).pk
    address = f"/campaigns/{campaign.uuid}/annotators/{key}/{verb}/?threshold=80"
    response = client.post(address, sent, follow=True)
    assert response.redirect_chain == [(f"/campaigns/{campaign.uuid}/quality/?threshold=80", 302)]
    return response.content.decode()


@pytest.mark.any_database
def test_each_annotator_stands_with_share_interval_and_cases(admin: Client, campaign: Campaign) -> None:
    shown = page(admin, campaign)
    assert "100 % 40 % to 100 %" in row(shown, "anna")
    assert "0 % 0 % to 60 %" in row(shown, "carl")
    assert "100 % 4 of 4" in row(shown, "anna", FIGURES)
    assert "20.0" in row(shown, "anna", FIGURES)
    assert "flagged" not in row(shown, "carl")  # With four cases nobody is.
    assert "less than 70 % of the screens that hold both" in " ".join(shown.split())
    assert "3 annotators with answers" in shown


@pytest.mark.parametrize(
    ("query", "flagged"),
    [
        (f"?min_cases=4&{ANY_ANSWERS}", ["carl"]),
        (f"?threshold=100&min_cases=1&{ANY_ANSWERS}", ["carl"]),
        (f"?threshold=&min_cases=4&{ANY_ANSWERS}", ["carl"]),
    ],
)
def test_the_rule_can_be_set(admin: Client, campaign: Campaign, query: str, flagged: list[str]) -> None:
    shown = page(admin, campaign, query)
    assert [name for name in ("anna", "ben", "carl") if "flagged" in row(shown, name)] == flagged


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("threshold=101", "threshold should be at most 100, not 101"),
        ("min_cases=x", "min-cases should be a whole number"),
        ("beyond_chance=-101", "beyond-chance should be at least -100, not -101"),
        ("rule=strict", "there is no parameter"),
    ],
)
def test_an_impossible_rule_is_refused_in_words(
    admin: Client, campaign: Campaign, query: str, fault: str
) -> None:
    response = admin.get(f"/campaigns/{campaign.uuid}/quality/?{query}")
    assert response.status_code == 400
    assert fault in response.content.decode()


def test_the_check_is_drawn_with_the_limit_of_the_address_and_flagged_annotators_come_first(
    admin: Client, campaign: Campaign
) -> None:
    shown = page(admin, campaign, f"?min_cases=4&threshold=80&{ANY_ANSWERS}")
    assert "Control below source, with 95 % interval" in shown.replace("\N{NO-BREAK SPACE}", " ")
    drawn = re.findall(r'class="even" x1="([\d.]+)%"', shown)
    assert drawn == ["77.6"] * 3, "80 % of a scale whose ends have room for half a dot"
    body = shown.partition(f"{SIGNS}</caption>")[2].partition("</table>")[0]
    assert re.findall(r"<bdi>(\w+)</bdi> <small", body) == ["carl", "anna", "ben"]
    assert set(re.findall(r'class="even" x1="([\d.]+)%"', page(admin, campaign, "?threshold=50"))) == {"50.0"}
    address = f"/campaigns/{campaign.uuid}/quality/?threshold=0"
    assert admin.get(address).status_code == 400


def test_without_controls_agreement_beyond_chance_is_drawn(admin: Client, db: None) -> None:
    corpus = small_corpus(sentences=[sentence("He go .", "He goes .", "He gone .", "He went .")])
    answers = [ranking(name, 0, "Alder > Birch > Cedar") for name in ("anna", "ben")]
    shown = page(admin, small_campaign(corpus, rankings=answers))
    assert "Agreement with others beyond chance" in shown
    assert "100 %" in row(shown, "anna").replace("\N{NO-BREAK SPACE}", " ")
    assert "significantly below it (p &lt; 0.001)" in shown


@pytest.mark.any_database
def test_flags_are_given_with_their_reasons(admin: Client, campaign: Campaign) -> None:
    shown = page(admin, campaign, f"?min_cases=4&{ANY_ANSWERS}")
    assert "1 of 3 annotators is flagged" in shown
    assert "control below source on 0 % of 4 screens (at least 70 %)" in row(shown, "carl")
    assert "screens (at least" not in row(shown, "anna")
    assert "None of 3 annotators is flagged" in page(admin, campaign)


def test_thresholds_of_all_flags_can_be_set(admin: Client, campaign: Campaign) -> None:
    Revision.objects.filter(judgment__annotator__name="ben").update(active_ms=5_000)
    query = f"?min_cases=4&threshold=1&{ANY_ANSWERS}"
    assert "flagged" in row(page(admin, campaign, f"{query}&pace=33"), "ben")
    shown = page(admin, campaign, f"{query}&pace=20")
    assert "flagged" not in row(shown, "ben")
    assert 'name="pace" value="20"' in shown
    shown = page(admin, campaign)
    for name, value in (("pace", 33), ("same_answer", 90), ("beyond_chance", 0)):
        assert f'name="{name}" value="{value}"' in shown
    strict = page(admin, campaign, f"{query}&beyond_chance=100")
    assert "comparisons with others agree" in strict


def test_an_admin_excludes_with_a_reason_and_readmits(admin: Client, campaign: Campaign) -> None:
    assert "say why" in change(admin, campaign, "carl", "exclude", reason=" ")
    assert "<b>Random</b>" not in change(admin, campaign, "carl", "exclude", reason="<b>Random</b> clicks")
    assert "Random&lt;/b&gt; clicks" in page(admin, campaign)
    assert "already excluded" in change(admin, campaign, "carl", "exclude", reason="Again")
    assert "is readmitted" in change(admin, campaign, "carl", "readmit")
    assert "is not excluded" in change(admin, campaign, "carl", "readmit")


def test_a_campaign_of_somebody_else_s_annotator_is_404(admin: Client, campaign: Campaign) -> None:
    [other, _] = cast(running("other"))
    address = f"/campaigns/{campaign.uuid}/annotators/{other.pk}/exclude/"
    assert admin.post(address, {"reason": "x"}).status_code == 404


def test_nothing_yet_and_no_controls_are_said(admin: Client) -> None:
    shown = page(admin, running("empty"))
    assert "Nobody has answered yet" in shown
    assert "no source with a control" in shown


def test_the_second_look_reads_no_judgments(
    admin: Client, campaign: Campaign, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    page(admin, campaign)
    with django_assert_max_num_queries(8):
        page(admin, campaign)


def test_an_excluded_annotator_meets_a_kind_page(campaign: Campaign, admin: Client) -> None:
    client = Client()
    key = Annotator.objects.get(name="anna").pk
    link = re.search(
        r"/join/[\w-]+/",
        admin.post(f"/campaigns/{campaign.uuid}/annotators/{key}/link/", follow=True).content.decode(),
    )
    assert link
    client.post(link.group())
    exclude(Annotator.objects.get(name="anna"), reason="Clicked at random.")
    text = client.get(f"/judge/{campaign.uuid}/").content.decode()
    assert "Thank you for your work" in text
    assert "excluded" not in text
    assert "random" not in text


# --- What the ranking leaves out ------------------------------------------------------------------


@pytest.fixture
def ranked(db: None) -> Campaign:
    corpus = small_corpus(sentences=[sentence("He go .", "He goes .", "He gone .", "He went .")])
    corpus.systems.filter(name="Cedar").update(role="control")
    rankings = [ranking(name, 0, "Alder > Birch > INPUT > Cedar") for name in ("anna", "ben")]
    return small_campaign(corpus, rankings=rankings)


def ranking_page(client: Client, campaign: Campaign, query: str = "") -> str:
    text = client.get(f"/campaigns/{campaign.uuid}/ranking/{query}").content.decode()
    return text.partition("<main")[2]


def signature(text: str) -> str:
    """The signature of the ranking, which comes before the one of agreement."""
    ranking, _ = re.findall(r"Signature <code>([^<]+)</code>", without_meanings(text))
    return str(ranking)


def test_controls_are_ranked_only_if_asked_and_sources_are(researcher: Client, ranked: Campaign) -> None:
    text = ranking_page(researcher, ranked)
    assert "Cedar" not in text.partition("Signature")[0]
    assert ">INPUT<" in text
    assert "|without:Cedar|snapshot:" in signature(text)
    text = ranking_page(researcher, ranked, "?controls=on")
    assert "Cedar" in text.partition("Signature")[0]
    assert "|without" not in signature(text)


def test_excluded_annotators_count_only_if_asked_and_the_signature_says_so(
    researcher: Client, ranked: Campaign
) -> None:
    everybody = signature(ranking_page(researcher, ranked))
    exclude(ranked.annotators.get(name="ben"), reason="Clicked at random.")
    text = ranking_page(researcher, ranked)
    anna, ben = "Annotator 1", "Annotator 2"
    assert anna in text
    assert ben not in text
    assert "|excluded-annotators:1|snapshot:" in signature(text)
    text = ranking_page(researcher, ranked, "?excluded=on")
    assert ben in text
    assert signature(text) == everybody


def test_the_job_of_a_large_campaign_leaves_out_the_same(
    researcher: Client, ranked: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    exclude(ranked.annotators.get(name="ben"), reason="Clicked at random.")
    here = signature(ranking_page(researcher, ranked))
    forget_results()
    monkeypatch.setattr(queries, "MOST_AT_ONCE", 0)
    assert "Waiting for a worker" in ranking_page(researcher, ranked)
    run_queued_jobs()
    assert signature(ranking_page(researcher, ranked)) == here


# --- Of a large campaign a job computes it --------------------------------------------------------


@pytest.fixture
def large(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    monkeypatch.setattr(queries, "MOST_AT_ONCE", 0)
    return campaign


def test_other_thresholds_need_no_other_job(admin: Client, large: Campaign) -> None:
    page(admin, large)
    run_queued_jobs()
    assert "flagged" in row(page(admin, large, "?min_cases=4"), "carl")
    assert "flagged" not in row(page(admin, large), "carl")
    assert Job.objects.count() == 1


def test_the_stored_result_has_no_names(admin: Client, large: Campaign) -> None:
    page(admin, large)
    run_queued_jobs()
    stored = json.dumps(Run.objects.get().result)
    assert pseudonym(large, "anna") in stored
    assert "anna" not in stored.replace("annotator", "")


def test_later_answers_are_told_of_and_counted_on_request(admin: Client, large: Campaign) -> None:
    page(admin, large)
    run_queued_jobs()
    assert "came after this was computed" not in page(admin, large)
    judged_by(large, "dora", control=10)
    assert "4 answers or skips came after this was computed" in page(admin, large)
    address = f"/campaigns/{large.uuid}/analyses/quality/compute/?min_cases=4"
    assert address in page(admin, large, "?min_cases=4")
    assert admin.post(address).headers["Location"] == f"/campaigns/{large.uuid}/quality/?min_cases=4"
    assert "Waiting for a worker" in page(admin, large)
    run_queued_jobs()
    assert "100 % 4 of 4" in row(page(admin, large), "dora", FIGURES)


def test_files_hold_figures_under_pseudonyms_and_are_for_admins(
    admin: Client, researcher: Client, campaign: Campaign
) -> None:
    page(admin, campaign)
    address = f"/campaigns/{campaign.uuid}/analyses/quality/quality.csv"
    header, *rows = b"".join(admin.get(address)).decode().splitlines()
    assert header.startswith(
        "annotator,check,check_low,check_high,check_cases,planted,planted_cases,agreement,"
    )
    [carl] = [each for each in rows if each.startswith(pseudonym(campaign, "carl"))]
    share, low, high, cases, planted, _, _, _, _, screens = carl.split(",")[1:11]
    assert (*map(float, (share, low, cases, screens)), round(float(high), 3)) == (0, 0, 4, 4, 0.602)
    assert planted == "", "only marked errors are compared with planted ones"
    assert researcher.get(address).status_code == 403
