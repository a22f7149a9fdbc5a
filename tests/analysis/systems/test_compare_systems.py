"""Two systems compared: the analysis, its page, and the links that lead there."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from analysis.analyses.planning.when_to_stop import STOPPING, WhenToStop
from analysis.analyses.systems.compare_systems import COMPARE_SYSTEMS, COMPARED, about_rows, lead
from analysis.analyses.systems.compared_systems import ComparedSystems, CompareSystemsParameters
from analysis.runs.sources import version_of
from annotate.models import Annotator, Campaign, SystemRole
from core.names import Naming
from core.results import Computed
from ranking import Comparison, Lead, Remaining, Watched, WatchedPair
from tests.analysis.judgment_files import JUDGED, Capture, as_json
from tests.analysis.scored_campaigns import edited_campaign, result_of
from tests.annotate.samples import campaign_without_texts, ranking
from tests.annotate.scores.scoring import scored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

COMMAND = ("analyse", "compare-systems", JUDGED)
NAMING = Naming("", {}, {}, {})


@pytest.fixture
def campaign() -> Campaign:
    """Two judges, three sentences, and two metrics, of which one likes what is left as it is."""
    made = edited_campaign()
    scored(made.corpus, "ld-source", "gleu")
    return made


def compared(campaign: Campaign, first: str, second: str) -> ComparedSystems:
    result: ComparedSystems = result_of(
        COMPARE_SYSTEMS, campaign, CompareSystemsParameters(first=first, second=second)
    )
    return result


def address(campaign: Campaign, query: str = "") -> str:
    return f"/campaigns/{campaign.uuid}/analyses/compare-systems/{query}"


def shown_to(reader: Client, campaign: Campaign, query: str = "") -> str:
    response = reader.get(address(campaign, query))
    assert response.status_code == 200
    return response.content.decode()


def test_people_and_metrics_are_compared_on_two_systems(campaign: Campaign) -> None:
    result = compared(campaign, "Birch", "INPUT")
    assert result.comparison is not None
    assert (result.comparison.wins, result.comparison.losses, result.comparison.ties) == (2, 4, 0)
    assert (result.ahead, result.behind, result.even) == (1, 2, 0)
    [pair] = result.watched.pairs
    assert (pair.above, pair.below) == ("INPUT", "Birch")
    assert result.difference == -(pair.last_difference or 0.0) < 0
    by_metric = {each.metric: each for each in result.metrics}
    conservative = by_metric["ld-source"]
    assert conservative.difference is not None
    assert conservative.difference < 0  # INPUT changes nothing.
    assert (conservative.agreed, conservative.against, conservative.tied) == (2, 1, 0)
    assert conservative.decided == 3
    assert [each.sentence for each in result.sentences] == [0, 1, 2]
    assert {each.clarity for each in result.sentences} == {2}
    assert result.sentences[0].against == ("ld-source",)
    assert result.differing == [result.sentences[0]]
    assert result.sentences[0].dispute == 1


def test_the_other_way_round_is_the_mirror_image(campaign: Campaign) -> None:
    one, other = compared(campaign, "Cedar", "INPUT"), compared(campaign, "INPUT", "Cedar")
    assert other.difference == pytest.approx(-(one.difference or 0.0))
    assert (other.ahead, other.behind) == (one.behind, one.ahead)
    assert other.watched.pairs[0].above == one.watched.pairs[0].above
    for mirrored, each in zip(other.metrics, one.metrics, strict=True):
        assert (mirrored.first, mirrored.second) == (each.second, each.first)
        assert (mirrored.agreed, mirrored.against) == (each.agreed, each.against)


def test_neighbours_have_the_numbers_of_when_to_stop(capsys: Capture) -> None:
    """The demo has enough sentences for intervals."""
    stopping = as_json(capsys, "analyse", "stopping", JUDGED)
    for border, remaining in zip(stopping["watched"]["pairs"], stopping["remaining"], strict=True):
        told = as_json(capsys, *COMMAND, "--first", border["below"], "--second", border["above"])
        [pair] = told["watched"]["pairs"]
        assert pair["difference"] == border["difference"]
        assert pair["standard_error"] == pytest.approx(border["standard_error"], nan_ok=True)
        assert (pair["settled_at"], told["remaining"]) == (border["settled_at"], remaining)
        assert told["watched"]["anytime"] == stopping["watched"]["anytime"]


def test_without_names_the_best_two_are_compared_and_one_name_goes_with_the_next(
    campaign: Campaign,
) -> None:
    result: ComparedSystems = result_of(COMPARE_SYSTEMS, campaign)
    order: WhenToStop = result_of(STOPPING, campaign)
    names = [pair.above for pair in order.watched.pairs] + [order.watched.pairs[-1].below]
    assert [result.first, result.second] == names[:2]
    for first, second, expected in (
        (names[1], None, names[1:3]),
        (names[-1], None, [names[-1], names[-2]]),
        (None, names[0], [names[1], names[0]]),
        (None, names[2], names[1:3]),
    ):
        result = result_of(COMPARE_SYSTEMS, campaign, CompareSystemsParameters(first=first, second=second))
        assert [result.first, result.second] == expected


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("?first=Alder&second=Alder", "choose two different systems, not Alder twice"),
        (
            "?first=Nobody",
            "there is no system Nobody in this campaign; systems are: Alder, Birch, Cedar, INPUT",
        ),
        ("?first=Alder&second=Cedar&tie_width=5", "tie widths need scores, and these are rankings"),
    ],
)
def test_wrong_parameters_are_told_in_words(
    researcher: Client, campaign: Campaign, query: str, fault: str
) -> None:
    response = researcher.get(address(campaign, query))
    assert response.status_code == 400
    assert fault in response.content.decode()


def test_a_system_that_nobody_judged_cannot_be_compared(researcher: Client) -> None:
    campaign = edited_campaign()
    campaign.corpus.systems.filter(name="Cedar").update(role=SystemRole.CONTROL)
    response = researcher.get(address(campaign, "?first=Alder&second=Cedar"))
    assert response.status_code == 400
    assert "Cedar was not compared with any system; these were: Alder, Birch, INPUT" in (
        response.content.decode()
    )
    assert "Cedar" in shown_to(researcher, campaign, "?first=Alder&second=Cedar&controls=yes")
    with pytest.raises(CommandError, match="Nobody was not compared with any system"):
        call_command(*COMMAND, "--first", "Nobody")


def test_systems_that_were_never_shown_together_are_said_to(researcher: Client) -> None:
    campaign = campaign_without_texts(
        rankings=[ranking("anna", 0, "Alder > Birch"), ranking("anna", 1, "Birch > Cedar")]
    )
    shown = shown_to(researcher, campaign, "?first=Alder&second=Cedar")
    assert "Directly, they were never compared." in shown


def test_the_page_shows_both_outputs_with_their_edits_and_scores(
    researcher: Client, campaign: Campaign
) -> None:
    shown = shown_to(researcher, campaign, "?first=Cedar&second=INPUT")
    assert '<option value="Cedar" selected>' in shown
    deciding, differing = shown.split('<h2 id="differing-sentences">')
    article = deciding.partition('<h3 id="deciding-0">')[2].partition("</article>")[0]
    assert "<ins" in article
    assert "Cedar</span> better in 2 judgments" in article
    assert "INPUT</span> better in 0 judgments" in article
    assert "1 of 2 metrics against people" in article
    assert "against people</td>" in article
    assert 'id="differing-0"' in differing
    assert '<details class="settings">' in shown  # Two names leave the settings folded.


def test_new_scores_and_excluded_annotators_change_the_result(campaign: Campaign) -> None:
    before, state = compared(campaign, "Cedar", "INPUT"), version_of(COMPARE_SYSTEMS, campaign).state
    scored(campaign.corpus, "sari")
    assert version_of(COMPARE_SYSTEMS, campaign).state != state
    after = compared(campaign, "Cedar", "INPUT")
    assert {each.metric for each in after.metrics} == {"ld-source", "gleu", "sari"}
    assert after.signature != before.signature
    Annotator.objects.filter(campaign=campaign, number=1).update(
        excluded_at=timezone.now(), exclusion_reason="careless"
    )
    alone = compared(campaign, "Cedar", "INPUT")
    assert alone.comparison is not None
    assert (alone.comparison.wins, alone.comparison.losses, alone.comparison.ties) == (1, 0, 1)


def test_every_pair_of_the_ranking_leads_to_the_page(researcher: Client, campaign: Campaign) -> None:
    shown = researcher.get(f"/campaigns/{campaign.uuid}/ranking/?confidence=0.9").content.decode()
    of_pairs = set(re.findall(r'compare-systems/\?confidence=0\.9&amp;first=(\w+)&amp;second=(\w+)"', shown))
    names = ("Alder", "Birch", "Cedar", "INPUT")
    assert of_pairs >= {(first, second) for first in names for second in names if first != second}
    for link in re.findall(r'href="([^"]*compare-systems/[^"]*)"', shown)[:3]:
        assert researcher.get(link.replace("&amp;", "&")).status_code == 200


def test_regions_of_the_page_have_different_names(researcher: Client, campaign: Campaign) -> None:
    """A sentence may be in both lists: it decides, and metrics contradict people."""
    shown = shown_to(researcher, campaign, "?first=Birch&second=INPUT")
    regions = re.findall(r'role="region"[^>]* aria-label="([^"]+)"', shown)
    assert [name for name in regions if name.startswith("Scores of sentence 0")] == [
        "Scores of sentence 0: Sentences that decide",
        "Scores of sentence 0: Sentences on which people and metrics differ",
    ]
    assert len(regions) == len(set(regions))


def test_the_difference_is_drawn_first(researcher: Client, campaign: Campaign) -> None:
    result_of(COMPARE_SYSTEMS, campaign)
    shown = shown_to(researcher, campaign)
    assert (
        0
        < shown.find("Won less lost")
        < shown.find("difference.svg")
        < shown.find("Won, without ties")
        < shown.find("Sentences that decide")
    )
    assert "Download the table “Difference of the two systems” as" in shown


def pair_of(difference: float, error: float, settled_at: int | None = None) -> ComparedSystems:
    """Alder and Birch with this difference."""
    pair = WatchedPair("Alder", "Birch", np.array([difference]), np.array([error]), settled_at)
    watched = Watched(np.array([100]), np.array([50]), 1.96, np.array([4.0]), 0.05, 1000, (pair,))
    remaining = Remaining(80, 200, 500, 4000, None)
    comparison = Comparison(6, 2, 1, 0.75, 0.29, "", 0.29, "", None)
    return ComparedSystems(
        "s", "Birch", "Alder", ("Alder", "Birch"), watched, remaining, comparison, 5, 2, 1, (), ()
    )


def rows_of(result: ComparedSystems, **parameters: Any) -> list[list[str]]:
    """The cells of the drawn table as texts, with notes."""
    computed = Computed(CompareSystemsParameters(**parameters), result)
    page = COMPARED.of(computed, NAMING).page()
    assert page.scales[1] is None or page.scales[1].even == 0
    return [[f"{cell.text} {cell.note}".strip() for cell in row] for row in page.rows]


def test_the_difference_is_drawn_for_one_look_and_for_every_look() -> None:
    result = replace(
        pair_of(0.05, 0.02), lead=Lead(-0.5, -0.9, -0.1), lead_in_sentences=Lead(0.25, None, None)
    )
    assert rows_of(result) == [
        [
            "Difference of ExpectedWins however often you look",
            "0.050 -0.03 to 0.13",
            "further judgments needed: about 200 (80 to 500)",
        ],
        ["Difference of ExpectedWins if you look once", "0.050 0.01 to 0.09", ""],
        ["Won less lost the two alone, without ties", "0.500 0.10 to 0.90", "won 2 of 8 times, p = 0.290"],
        ["Sentences won less lost by most of their judgments", "-0.250", "preferred in 2 of 7 sentences"],
    ], "leads are of Alder, which scores higher, although Birch comes first"
    settled = rows_of(pair_of(0.2, 0.02, 60))
    assert settled[0][2] == "settled after 60"
    assert len(settled) == 2, "results that were stored without leads have differences only"
    assert pair_of(0.2, 0.02).difference == -0.2  # Of the first, which is the worse one.


def test_differences_of_log_strengths_are_drawn_as_leads() -> None:
    [_, one_look] = rows_of(pair_of(2.0, 0.1), method="bradley-terry")
    assert one_look[1] == "0.762 0.72 to 0.80", "odds of e to the 2nd are a lead of 0.762"
    implied, of_scores = (
        about_rows(Computed(CompareSystemsParameters(method=method), pair_of(2.0, 0.1)), NAMING)
        for method in ("bradley-terry", "ew")
    )
    assert "the one that the difference of strengths implies" in implied
    assert "the difference of the two scores" in of_scores
    assert "two scales" in of_scores
    assert "two scales" not in implied


def test_the_lead_says_whom_the_rows_favour_and_when_the_order_is_settled() -> None:
    said = lead(Computed(CompareSystemsParameters(), pair_of(0.05, 0.02)), NAMING)
    assert said.startswith(
        "Right of 0, Alder is better. The order is settled once the interval in the first row"
    )
    settled = lead(Computed(CompareSystemsParameters(), pair_of(0.2, 0.02, 60)), NAMING)
    assert (
        "settled after 60 judgments, when the interval in the first row excluded 0, and stays settled."
        in settled
    )
