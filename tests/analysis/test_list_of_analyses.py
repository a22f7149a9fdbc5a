"""Analyses are found by what they ask: the list by group, and the tabs of pages that belong together."""

import re
from collections.abc import Mapping
from html import unescape

import pytest
from django.test import Client

from analysis.analyses.base import Group, analyses
from analysis.results.registered_pages import address_of, pages
from analysis.runs.sources import Subject
from annotate.models import Campaign
from tests.annotate.references.answers import correcting_campaign, judging_campaign
from tests.annotate.samples import campaign_without_texts, small_corpus
from tests.annotate.scores.scoring import EDITED

IMPOSSIBLE = "Not possible yet"


def lists(client: Client, subject: Subject) -> Mapping[str, str]:
    """The sections of the list of analyses by heading, as HTML."""
    response = client.get(f"{subject.get_absolute_url()}analyses/")
    assert response.status_code == 200
    shown = unescape(response.content.decode().partition("<main")[2])
    _, *sections = re.split(r'<h2 id="\w+">', shown)
    return dict(section.split("</h2>", 1) for section in sections)


def links(client: Client, address: str, css: str) -> list[str]:
    """The links of a navigation bar of a page, with a star where one is."""
    shown = client.get(address).content.decode()
    bar = shown.partition(f'<nav class="{css}"')[2].partition("</nav>")[0]
    return [
        f"{text}{'*' * bool(here)}" for here, text in re.findall(r'<a href="[^"]*"( aria[^>]*)?>(.*?)<', bar)
    ]


def test_each_group_lists_questions_with_the_pages_that_answer_them(
    researcher: Client, scored: Campaign
) -> None:
    listed = lists(researcher, scored)
    assert [*listed] == ["Systems", "Annotators", "Metrics", "Planning", IMPOSSIBLE]
    assert "No machine has judged here." in listed[IMPOSSIBLE]
    address = scored.get_absolute_url()
    assert f'<dt><a href="{address}ranking/">Who wins?</a> <small>Ranking</small></dt>' in listed["Systems"]
    assert listed["Systems"].index("Who wins?") < listed["Systems"].index("How few judgments")
    assert '<a href="/compare-metrics/">' in listed["Metrics"]
    assert '<a href="/how-many-judgments/">' in listed["Planning"]
    for group, of_group in listed.items():
        for analysis in analyses().values():
            if f">{analysis.question}</a> <small>{analysis.title}</small>" in of_group:
                assert analysis.group == group.lower()
                page = pages()[analysis.name]
                assert f'"{address_of(scored, page)}{page.anchor}"' in of_group
    assert f'"{address}ranking/#agreement"' in listed["Annotators"]


def test_the_groups_are_those_of_the_questions() -> None:
    assert {analysis.group for analysis in analyses().values()} == set(Group)


def test_analyses_of_other_answers_are_not_listed(researcher: Client, db: None) -> None:
    corpus = small_corpus()
    for campaign, has, lacks in (
        (correcting_campaign(corpus), "Which corrections do people write?", ("Who wins?", "Whose outputs")),
        (judging_campaign(corpus), "Whose outputs are valid", ("Who wins?", "Which corrections do people")),
        (campaign_without_texts(), "Who wins?", ("Whose outputs are valid", "Which corrections do people")),
    ):
        shown = "".join(lists(researcher, campaign).values())
        assert has in shown
        assert not any(words in shown for words in lacks)
        assert "How far do annotators agree?" in shown or has != "Who wins?"


def test_analyses_without_scores_come_last_with_the_reason(researcher: Client, campaign: Campaign) -> None:
    listed = lists(researcher, campaign)
    assert [*listed][-1] == IMPOSSIBLE
    titles, reason = re.findall(r"<dt>([^<]*)</dt><dd>(The corpus .*?)</dd>", listed[IMPOSSIBLE])[0]
    assert "Metrics against people" in titles
    assert "has no metric scores yet. Score its systems" in reason
    assert "Which metrics agree with people?" not in listed["Metrics"]
    assert "the texts that metrics would score" in lists(researcher, campaign_without_texts())[IMPOSSIBLE]


def test_analyses_without_documents_or_second_references_come_last(researcher: Client, db: None) -> None:
    campaign = campaign_without_texts()
    corpus = small_corpus("one reference", sentences=EDITED)
    for subject, title, question in (
        (campaign, "Agreement by document", "In which documents"),
        (corpus, "Coverage of references", "do references cover"),
    ):
        listed = lists(researcher, subject)
        assert title in listed[IMPOSSIBLE]
        assert not any(question in section for section in listed.values())
    assert "Which metrics reward bad outputs?" in lists(researcher, corpus)["Metrics"]


def test_metrics_by_domain_come_last_if_no_judged_sentence_has_a_domain(
    researcher: Client, scored: Campaign
) -> None:
    question = "Do the same metrics agree with people in every domain?"
    assert question in lists(researcher, scored)["Metrics"]
    scored.corpus.sentences.update(domain="")
    listed = lists(researcher, scored)
    assert question not in listed["Metrics"]
    assert re.search(r"<dt>[^<]*Metrics by domain</dt><dd>No judged sentence has", listed[IMPOSSIBLE])


METRIC_TABS = ["Agreement", "Where they differ", "Sensitivity", "Learned"]


@pytest.mark.parametrize(
    ("address", "tab", "pages_of_tab"),
    [
        ("metrics/", 0, ["All metrics*", "A new metric", "Which to report", "Several campaigns"]),
        (
            "analyses/metric-advice/",
            0,
            ["All metrics", "A new metric", "Which to report*", "Several campaigns"],
        ),
        ("metrics/disagreements/", 1, []),
        (
            "metrics/windows/",
            2,
            ["Windows*", "By domain", "Pairs of ranks", "By parameter", "Synthetic systems", "Causes"],
        ),
        (
            "metrics/sweep/",
            2,
            ["Windows", "By domain", "Pairs of ranks", "By parameter*", "Synthetic systems", "Causes"],
        ),
        ("analyses/learned-mterater/", 3, ["GMEG-Metric", "MTeRater*"]),
    ],
)
def test_pages_of_metrics_have_four_tabs(
    researcher: Client, campaign: Campaign, address: str, tab: int, pages_of_tab: list[str]
) -> None:
    page = f"{campaign.get_absolute_url()}{address}"
    marked = [f"{label}{'*' * (number == tab)}" for number, label in enumerate(METRIC_TABS)]
    assert links(researcher, page, "segments related") == marked
    assert links(researcher, page, "within") == pages_of_tab
    assert [place for place in links(researcher, page, "places") if "*" in place] == ["Metrics*"]


def test_a_page_of_its_own_has_no_tabs(researcher: Client, campaign: Campaign) -> None:
    page = f"{campaign.get_absolute_url()}analyses/fragility/"
    assert links(researcher, page, "segments related") == []
    assert [place for place in links(researcher, page, "places") if "*" in place] == ["Analyses*"]
