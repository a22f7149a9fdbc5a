import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotate.campaigns.lifecycle import close
from annotate.models import CorpusState
from jobs.queue import queue
from tests.annotate.designs import draft_campaign
from tests.annotate.running import answer, cast, pass_over, running, shown
from tests.annotate.samples import campaign_without_texts, small_campaign, small_corpus


def test_it_lists_corpora_and_judgments(researcher: Client) -> None:
    corpus = small_corpus()
    campaign = small_campaign(corpus)
    page = researcher.get("/").content.decode()
    assert f'href="{corpus.get_absolute_url()}"' in page
    assert f'href="{campaign.get_absolute_url()}"' in page


def test_it_says_what_to_do_when_there_is_nothing(researcher: Client) -> None:
    page = researcher.get("/").content.decode()
    assert "import_corpus" in page
    assert "import_judgments" in page


def test_an_annotator_without_work_is_told_so(annotator: Client) -> None:
    small_corpus("secret")
    page = annotator.get("/").content.decode()
    assert "Nothing to judge right now" in page
    assert "secret" not in page


def test_a_corpus_without_texts_is_no_corpus_to_read(researcher: Client) -> None:
    campaign = campaign_without_texts("alone")
    page = researcher.get("/").content.decode()
    assert campaign.get_absolute_url() in page
    assert campaign.corpus.get_absolute_url() not in page


def test_unfinished_imports_are_not_shown(researcher: Client) -> None:
    corpus = small_corpus("half")
    corpus.state = CorpusState.IMPORTING
    corpus.save()
    assert "half" not in researcher.get("/").content.decode()


def test_running_campaigns_come_first_with_their_progress(admin: Client) -> None:
    small_campaign(small_corpus("a"), "imported")
    campaign = running("pilot", items=6)
    [anna, _] = cast(campaign)
    answer(shown(anna))
    page = admin.get("/").content.decode()
    assert "<h1>One campaign is running</h1>" in page
    assert page.index("pilot") < page.index("imported")
    assert f'href="/campaigns/{campaign.uuid}/manage/">pilot</a>' in page
    assert "1 of 6 judgments, 16 %" in page
    assert '<span class="state running">Running</span>' in page


def test_a_researcher_comes_to_the_judgments_of_a_running_campaign(researcher: Client) -> None:
    campaign = running("pilot")
    page = researcher.get("/").content.decode()
    assert f'href="{campaign.get_absolute_url()}">pilot</a>' in page
    assert "/manage/" not in page


def test_it_names_the_decisions_that_wait_for_an_admin(admin: Client, researcher: Client) -> None:
    campaign = running("pilot", items=2)
    for annotator in cast(campaign):
        pass_over(shown(annotator))
    notice = (
        f'<a class="state flagged" href="/campaigns/{campaign.uuid}/manage/#held">1 needs your decision</a>'
    )
    assert notice in admin.get("/").content.decode()
    assert "needs your decision" not in researcher.get("/").content.decode()


def test_drafts_and_results_are_listed_apart(admin: Client) -> None:
    corpus = small_corpus()
    draft_campaign(corpus, "drafted")
    closed = running("done")
    close(closed)
    page = admin.get("/").content.decode()
    assert "<h1>No campaign is running</h1>" in page
    drafts, results = page.index('id="drafts"'), page.index('id="results"')
    assert drafts < page.index("drafted") < results < page.index(">done</a>")


def test_an_empty_site_shows_the_three_steps(admin: Client) -> None:
    page = admin.get("/").content.decode()
    assert page.index("Import a corpus") < page.index("Create a campaign") < page.index("Invite annotators")
    assert 'class="finished"' not in page
    small_corpus()
    assert page.count('class="finished"') == 0
    assert admin.get("/").content.decode().count('class="finished"') == 1


def test_unfinished_jobs_are_shown_with_their_progress(admin: Client) -> None:
    job = queue(kind="score-corpus", title="Scores of demo", parameters={}, owner=None)
    page = admin.get("/").content.decode()
    assert f'href="{job.get_absolute_url()}">Scores of demo</a>' in page
    assert '<span class="state queued">Queued</span>' in page


def test_search_finds_names_and_leads_to_sentences(researcher: Client) -> None:
    corpus = small_corpus("CoNLL-2014")
    small_campaign(corpus, "ranking of conll")
    small_campaign(small_corpus("other"), "else")
    page = researcher.get("/?search=conll").content.decode()
    assert ">CoNLL-2014</a>" in page
    assert ">ranking of conll</a>" in page
    assert ">else</a>" not in page
    assert f'href="{corpus.get_absolute_url()}?containing=conll#sentences"' in page
    assert "No campaign or corpus matches." in researcher.get("/?search=xyz").content.decode()


@pytest.mark.parametrize("address", ["/", "/?search=c"])
def test_it_takes_at_most_12_queries_whatever_there_is(
    admin: Client, address: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    numbers = []
    for number in range(3):
        small_campaign(small_corpus(f"corpus-{number}"), f"campaign-{number}")
        for annotator in cast(running(f"running-{number}", items=2)):
            pass_over(shown(annotator))
        with django_assert_max_num_queries(12) as captured:
            admin.get(address)
        numbers.append(len(captured))
    assert len(set(numbers)) == 1


@pytest.mark.parametrize("name", ["<script>alert(1)</script>"])
def test_names_are_text(researcher: Client, name: str) -> None:
    small_corpus(name)
    page = researcher.get("/").content.decode()
    assert name not in page
    assert "&lt;script&gt;" in page
