"""The page of the ranking, of rankings and of scores, at once and by a job."""

import csv
import re
from collections.abc import Iterable
from html import unescape
from io import StringIO

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from analysis.analyses.annotators.agreement import PARTS
from analysis.analyses.ranking_words import RANGES_OF_RUNS, UNIT_MEANINGS
from analysis.analyses.systems.ranking import REPLICATES_PER_PART, RankingParameters
from analysis.models import Run
from annotate.models import Campaign, Rating, User
from formats import RankingRecord
from jobs.models import Job
from jobs.running import RunningJob
from jobs.worker import run_queued_jobs
from ranking import Method, Unit
from tests.annotate import protocols
from tests.annotate.running import answer, answer_all, cast, running, shown
from tests.annotate.samples import RANKINGS, campaign_without_texts, ranking, small_campaign, small_corpus
from tests.annotate.terms import without_meanings

pytestmark = pytest.mark.any_database


def judged(rankings: Iterable[RankingRecord]) -> Campaign:
    return small_campaign(small_corpus(), rankings=[*rankings])


def address(campaign: Campaign, query: str = "") -> str:
    return f"/campaigns/{campaign.uuid}/ranking/?{query}"


def page(client: Client, campaign: Campaign, query: str = "") -> str:
    response = client.get(address(campaign, query))
    assert response.status_code == 200
    text = unescape(response.content.decode().partition("<main")[2])
    assert not re.search(r"\bnan\b", text, re.IGNORECASE)
    return text


def test_it_ranks_systems_and_says_how_far_judges_agree(researcher: Client, campaign: Campaign) -> None:
    text = page(researcher, campaign)
    rows = re.findall(r'<th scope="row">(\w+)', text)
    assert rows.index("Alder") < rows.index("INPUT")
    assert "κ between annotators" in text
    assert "<p>The agreement of annotators is not defined" in text
    stated = "ew|pairs:expanded|ties:dropped|unit:sentence|replicates:1000|confidence:0.95|seed:0|rule:3|"
    assert f"{stated}snapshot:" in text


def test_it_works_without_texts(researcher: Client, db: None) -> None:
    assert ">Alder<" in page(researcher, campaign_without_texts("alone"))


def test_researchers_see_judges_by_number_and_admins_by_name_too(admin: Client, researcher: Client) -> None:
    """Reasons name judges, too: Carl has judged nothing that another one has."""
    campaign = judged([*RANKINGS, ranking("carl", 2, "Alder Birch Cedar INPUT")])
    told = researcher.get(address(campaign)).content.decode()
    assert not re.search(r"\b(anna|ben|carl)\b", told)
    assert "annotator-" not in told
    assert "Annotator 3 judged no pair of outputs twice" in told
    for number, name in enumerate(("anna", "ben", "carl"), start=1):
        named = f'<bdi>{name}</bdi> <small class="unbroken">Annotator {number}</small>'
        assert named in page(admin, campaign)


def test_the_second_look_reads_no_judgments(
    researcher: Client, campaign: Campaign, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    page(researcher, campaign)
    with django_assert_max_num_queries(11):
        page(researcher, campaign)


@pytest.mark.parametrize(
    ("query", "meanings", "signature"),
    [
        (
            "method=trueskill",
            ("system’s skill", "other sentences of the same kind"),
            "trueskill|pairs:expanded|ties:kept|unit:sentence|",
        ),
        (
            "method=bradley-terry&unit=judge",
            ("system’s strength", "with other annotators; with few annotators it is imprecise"),
            "|ties:kept|unit:judge|replicates:300|",
        ),
        (
            "unit=pair&confidence=0.9",
            ("judged better", "for claims about systems, resample by sentence"),
            "unit:pair|replicates:1000|confidence:0.9|",
        ),
        (
            "unit=&confidence=0.8",
            ("judged better", "other sentences of the same kind"),
            "ew|pairs:expanded|ties:dropped|unit:sentence|replicates:1000|confidence:0.8|",
        ),
        ("unit=judgment", ("judged better", "other judgments of the same sentences"), "|unit:judgment|"),
    ],
)
def test_method_unit_and_confidence_can_be_chosen_and_the_page_says_what_they_mean(
    researcher: Client, campaign: Campaign, query: str, meanings: tuple[str, ...], signature: str
) -> None:
    text = page(researcher, campaign, query)
    assert all(meaning in text for meaning in meanings)
    assert [each in text for each in UNIT_MEANINGS.values()].count(True) == 1
    assert signature in text
    figure = re.findall(r'href="([^"]+/ranking\.svg[^"]*)"', text)[0]
    assert researcher.get(figure).status_code == 200


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("replicates=1001", "with ew there may be 1000 replicates at most"),
        ("replicates=2", "2 replicates are too few"),
        ("tie_width=5", "these are rankings"),
    ],
)
def test_impossible_parameters_are_refused_in_words(
    researcher: Client, campaign: Campaign, query: str, fault: str
) -> None:
    response = researcher.get(address(campaign, query))
    assert response.status_code == 400
    assert fault in response.content.decode()
    assert "Signature" not in response.content.decode()
    figure = f"/campaigns/{campaign.uuid}/analyses/ranking/ranking.svg"
    assert researcher.get(f"{figure}?{query}").status_code == 400
    queued = researcher.post(f"/campaigns/{campaign.uuid}/ranking/compute/?{query}")
    assert queued.status_code == (302 if "=2" in query else 400)


def test_clusters_and_rank_ranges_stand_beside_the_scores(researcher: Client) -> None:
    text = page(researcher, judged([ranking("anna", 0, "Alder Birch > Cedar > INPUT")] * 20), "unit=pair")
    table = text[text.index('<table class="marks standings">') : text.index("<tfoot")]
    rows = [re.findall(r"<t[dh][^>]*>([^<]*?) *<", row) for row in table.split("<tr>")[2:]]
    assert rows == [
        ["1–2", "Alder", "", "1.000", "1.00–1.00", "40", ""],
        ["1–2", "Birch", "", "1.000", "1.00–1.00", "40", ""],
        ["3", "Cedar", "", "0.333", "0.33–0.33", "60", ""],
        ["4", "INPUT", "", "0.000", "0.00–0.00", "60", ""],
    ]
    assert table.count('<svg class="plot hollow"') == 1, "of the source"
    assert [table.count(f"cluster {number}<") for number in (1, 2, 3)] == [2, 1, 1]
    assert "1000 replicates, resampled by pair" in text
    for number in (1, 2):
        assert f"100\N{NO-BREAK SPACE}% for the border below cluster {number}" in text
    assert "resampling sentences none, since there is only one sentence" in text


def test_ranges_of_trueskill_by_pair_are_said_to_be_those_of_runs() -> None:
    by_pair = RankingParameters(method=Method.TRUESKILL, unit=Unit.PAIR)
    assert by_pair.unit_meaning == f"{UNIT_MEANINGS[Unit.PAIR]} {RANGES_OF_RUNS}"
    assert RankingParameters(unit=Unit.PAIR).unit_meaning == UNIT_MEANINGS[Unit.PAIR]
    assert RankingParameters(method=Method.TRUESKILL).unit_meaning == UNIT_MEANINGS[Unit.SENTENCE]


def test_columns_of_head_to_head_have_the_numbers_of_the_rows(researcher: Client, campaign: Campaign) -> None:
    section = page(researcher, campaign).partition('id="head-to-head"')[2]
    heads = re.findall(r'<th scope="col" title="(\w+)">(\d+)<', section)
    rows = re.findall(r'<span class="place">(\d+)</span> (\w+)</th>', section)
    assert [number for _, number in heads] == ["1", "2", "3", "4"]
    assert [(name, number) for number, name in rows] == heads


def test_head_to_head_is_tested_by_sentence_and_by_pair_if_pairs_are_resampled(researcher: Client) -> None:
    """Five judgments of one sentence agree: one opinion, or 2 / 2^5."""
    campaign = judged(ranking(f"judge {number}", 0, "Alder > Cedar") for number in range(5))
    by_sentence, by_pair = (page(researcher, campaign, f"unit={unit}") for unit in ("sentence", "pair"))
    assert "exchanged together" in by_sentence
    assert "5 won, 0 lost, 0 tied; p = 1" in by_sentence
    assert "overstate the evidence" in by_pair
    assert "5 won, 0 lost, 0 tied; p = 0.06" in by_pair


def test_no_p_value_is_zero(researcher: Client) -> None:
    campaign = judged(ranking(f"judge {number}", 0, "Alder > Cedar") for number in range(12))
    text = page(researcher, campaign, "unit=pair")
    assert "12 won, 0 lost, 0 tied; p < 0.001, by Holm p < 0.001" in text
    assert "p = 0.000" not in text


def test_the_latex_of_head_to_head_is_a_matrix(researcher: Client) -> None:
    rankings = [ranking(f"judge {number}", 0, "Alder Birch > Cedar") for number in range(12)]
    address = f"/campaigns/{judged(rankings).uuid}/analyses/ranking/head-to-head"
    lines = researcher.get(f"{address}.tex?unit=pair").getvalue().decode().splitlines()
    begin = lines.index(r"\midrule") + 1
    assert lines[begin - 2] == r"system & no. & 1 & 2 & 3 \\"
    rows = [line.removesuffix(r" \\").split(" & ") for line in lines[begin : lines.index(r"\bottomrule")]]
    assert rows == [
        ["Alder", "1", "--", "--", "100*"],
        ["Birch", "2", "--", "--", "100*"],
        ["Cedar", "3", "0*", "0*", "--"],
    ]
    assert (
        researcher.get(f"{address}.csv").getvalue().startswith(b"system,opponent,wins,losses,ties,share,p_")
    )


def test_methods_stand_side_by_side(researcher: Client) -> None:
    rankings = [ranking("anna", 0, "Alder Birch > Cedar")] * 3 + [ranking("anna", 1, "Cedar > Alder")]
    text = page(researcher, judged(rankings), "method=trueskill")
    section = text[text.index('id="methods"') : text.index('id="agreement"')]
    heads = re.findall(r'<th scope="col"[^>]*>([^<]*)<', without_meanings(section))
    assert heads == ["System", "TrueSkill", "ExpectedWins", "Bradley-Terry"]
    rows = [re.sub(r"<[^>]*>", " ", row).split() for row in section.split("<tr>")[2:]]
    assert [row[0] for row in rows] == ["Birch", "Alder", "Cedar"]
    assert [row[2:5] for row in rows] == [["1", "1.000", "1"], ["2", "0.750", "2"], ["3", "0.125", "3"]]


def test_agreement_has_alphas_and_each_judge_with_the_others(researcher: Client) -> None:
    rankings = [ranking("anna", 0, "Alder Birch > Cedar"), ranking("ben", 0, "Cedar > Alder Birch")]
    text = page(researcher, judged(rankings))
    assert "α over pairs, nominal" in text
    assert text.count("judged by several") == 2
    assert "κ with the others" in text
    assert text.count('<td class="number">-1.000</td>') == 2


def test_it_warns_where_pairs_claim_more_than_sentences(researcher: Client) -> None:
    """Two sentences that disagree, one of them judged more often."""
    rankings = [ranking("anna", 0, "Alder Birch > Cedar")] * 60 + [ranking("anna", 1, "Cedar > Alder")] * 20
    campaign = judged(rankings)
    warning = "Resampling pairs claims 3 clusters, resampling sentences 1."
    by_sentence = page(researcher, campaign)
    assert warning not in by_sentence
    [by_pair] = re.findall(r'href="\?([^"]+)">resample pairs<', by_sentence)
    assert warning in page(researcher, campaign, by_pair)


def test_each_linked_file_comes_with_its_signature(researcher: Client, campaign: Campaign) -> None:
    """Files of the agreement, and of figures computed with it, bear the signature of the agreement."""
    links = set(re.findall(r'href="([^"]+)" download', page(researcher, campaign)))
    tables = {link for link in links if ".csv" in link}
    assert {link.split("/analyses/")[1].split(".")[0] for link in tables} == {
        *("ranking/systems", "ranking/methods", "ranking/head-to-head"),
        *("agreement/agreement", "agreement/pairs-of-annotators", "agreement/annotators"),
    }
    for link in tables:
        rows = list(csv.DictReader(StringIO(researcher.get(link).getvalue().decode())))
        signed = "ew" if link.split("/")[-1].split(".")[0] in ("systems", "methods") else "agreement"
        assert {row["signature"].split("|")[0] for row in rows} == {signed}
    assert all(researcher.get(link).status_code == 200 for link in links - tables)


class TestOfScores:
    """The ranking page of a campaign whose outputs have scores."""

    @pytest.fixture(autouse=True)
    def scalars(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(protocols, "current", protocols.SCALARS)

    @pytest.fixture
    def campaign(self, db: None, scalars: None) -> Campaign:
        """Each of three sentences scored by both annotators, the first shown the best."""
        campaign = running(items=3, annotators_per_item=2, shared_percent=100)
        for annotator in cast(campaign):
            answer_all(annotator)
        return campaign

    def test_systems_are_ranked_by_their_mean_scores(self, researcher: Client, campaign: Campaign) -> None:
        text = page(researcher, campaign)
        assert "Systems by Mean score" in text
        assert "95 % interval" in text
        assert "mean|scores:raw|unit:sentence|replicates:1000|confidence:0.95|seed:0|rule:3|snapshot:" in text
        assert "1000 replicates, resampled by sentence" in text
        assert "α over scores, interval" in text
        methods = text[text.index('id="methods"') :]
        heads = re.findall(r'<th scope="col"[^>]*>([^<]*)<', without_meanings(methods))[:4]
        assert heads == ["System", "Mean score", "ExpectedWins", "Bradley-Terry"]
        for heading in (
            "Reliability of the scores",
            "Changes by system",
            "Agreement of the annotators",
        ):
            assert heading in text

    @pytest.mark.parametrize(
        ("query", "signature"),
        [
            ("unit=judge&scores=z", "mean|scores:z|unit:judge|"),
            ("method=ew&tie_width=10&unit=pair", "ew|pairs:expanded|by:scores|tie-width:10|"),
            ("method=trueskill&scores=z", "trueskill|pairs:expanded|by:scores|tie-width:0|"),
            ("method=bradley-terry", "bradley-terry|pairs:expanded|by:scores|tie-width:0|"),
        ],
    )
    def test_method_unit_scores_and_ties_can_be_chosen(
        self, researcher: Client, campaign: Campaign, query: str, signature: str
    ) -> None:
        text = page(researcher, campaign, query)
        assert signature in text
        figure = re.findall(r'href="([^"]+/ranking/ranking\.svg[^"]*)"', text)[0]
        for file in (figure, f"{figure}&theme=dark", figure.replace(".svg", ".pdf")):
            assert researcher.get(file).status_code == 200

    def test_equal_scores_have_reasons(self, researcher: Client, campaign: Campaign) -> None:
        Rating.objects.update(score=50)
        text = page(researcher, campaign)
        assert "the scores of all outputs are equal" in text
        assert "all ratings are the same" in text
        assert "none of its outputs was scored" in page(researcher, campaign, "scores=z")
        assert "all its comparisons are ties" in page(researcher, campaign, "method=ew")

    def test_one_judge_is_not_resampled_and_has_no_reliability(self, researcher: Client) -> None:
        campaign = running(items=3)
        assert "nothing to rank here" in page(researcher, campaign)
        answer_all(cast(campaign, "anna")[0])
        assert "Systems by Mean score" in page(researcher, campaign)
        text = page(researcher, campaign, "unit=judge")
        assert "there is only one judge, so resampling is impossible" in text
        assert "no output was scored by two annotators" in text


@pytest.mark.usefixtures("everything_is_large")
class TestLarge:
    """It is computed by a job; the page shows the last result."""

    def test_the_first_look_queues_what_the_page_shows_and_shows_how_far_it_is(
        self, researcher: Client, campaign: Campaign
    ) -> None:
        for _ in range(2):
            assert "Waiting for a worker" in page(researcher, campaign)
        jobs = list(Job.objects.order_by("pk"))
        assert [job.title for job in jobs] == ["Ranking of campaign judged", "Agreement of campaign judged"]
        assert {job.owner for job in jobs} == {User.objects.get(username="the-researcher")}
        figure = f"/campaigns/{campaign.uuid}/analyses/ranking/ranking.svg"
        assert researcher.get(figure).status_code == 404
        run_queued_jobs()
        assert list(Job.objects.order_by("pk")) == jobs
        assert researcher.get(figure).status_code == 200

    def test_the_job_tells_how_far_it_is_all_along(
        self, researcher: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each report is a moment at which a job can be cancelled, even without progress."""
        told: list[str | int] = []
        monkeypatch.setattr("annotate.judgments.snapshot_reading.ANSWERS_PER_CHUNK", 2)
        monkeypatch.setattr(RunningJob, "begin", lambda job, step, total=0: told.extend((step, total)))
        monkeypatch.setattr(RunningJob, "advance", lambda job, parts: told.extend(filter(None, [parts])))
        page(researcher, campaign)
        run_queued_jobs()
        assert told == [
            *("Reading the judgments", 6, 2, 2, 2),  # None of them was in the file before.
            *("Preparing", 0, "Ranking", 1000, *[REPLICATES_PER_PART] * 20),
            *("Reading the judgments", 6, 6),
            *("Comparing systems and annotators", PARTS, *[1] * PARTS),
        ]

    def test_later_answers_are_told_of_and_ranked_on_request(self, researcher: Client) -> None:
        campaign = running()
        anna, _ = cast(campaign)
        answer(shown(anna))
        page(researcher, campaign)
        run_queued_jobs()
        assert "came after this was computed" not in page(researcher, campaign)
        answer(shown(anna))
        assert "1 answer or skip came after this was computed" in page(researcher, campaign)
        assert Job.objects.count() == 2
        researcher.post(f"/campaigns/{campaign.uuid}/ranking/compute/")
        assert "Waiting for a worker" in page(researcher, campaign)
        run_queued_jobs()
        assert "came after this was computed" not in page(researcher, campaign)

    def test_a_failure_is_told_and_tried_again_on_request(
        self, researcher: Client, campaign: Campaign
    ) -> None:
        page(researcher, campaign)
        Job.objects.update(state="failed", error="The disk is full.")
        assert "The disk is full." in page(researcher, campaign)
        assert "Try again" in page(researcher, campaign)
        assert Job.objects.count() == 2
        researcher.post(f"/campaigns/{campaign.uuid}/ranking/compute/")
        run_queued_jobs()
        assert "Systems by ExpectedWins" in page(researcher, campaign)

    def test_results_of_an_earlier_release_are_computed_anew(
        self, researcher: Client, campaign: Campaign
    ) -> None:
        page(researcher, campaign)
        run_queued_jobs()
        Run.objects.filter(analysis="ranking").update(result={"signature": "old"})
        cache.clear()
        assert "Waiting for a worker" in page(researcher, campaign)
        run_queued_jobs()
        assert "Systems by ExpectedWins" in page(researcher, campaign)
