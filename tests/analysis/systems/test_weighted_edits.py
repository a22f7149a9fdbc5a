"""Weighted edits, on the pages of a campaign: what weighs, and what is missing."""

import pytest
from django.test import Client

from analysis.analyses.systems.weighted_edits import WEIGHTED_EDITS, WeightedEditsParameters
from analysis.runs.sources import version_of
from annotate.models import Campaign, Rating
from formats import Reference
from jobs.refusals import RefusedError
from tests.analysis.campaigns_of_edits import ACCEPTED, REJECTED, campaign_of_edits
from tests.analysis.scored_campaigns import result_of
from tests.annotate.labelled import ToyPipeline, label
from tests.annotate.samples import sentence, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

QUICK = WeightedEditsParameters(replicates=10)
REFERENCES = (Reference("0", "He goes to town .", None),)


def verdict(judge: str, sentence: int, systems: tuple[str, ...], question: int) -> str:
    """People like what Birch wrote, and not what Cedar did."""
    return ACCEPTED if "Birch" in systems else REJECTED


def campaign(*references: Reference) -> Campaign:
    """Alder corrects as the reference does, and Birch and Cedar otherwise."""
    made = sentence(
        "He go to town .", "He goes to town .", "He went to town .", "He go at town .", references=references
    )
    return campaign_of_edits(small_corpus("of edits", sentences=[made]), verdict=verdict)


def test_verdicts_weigh_what_the_references_lack() -> None:
    result = result_of(WEIGHTED_EDITS, campaign(*REFERENCES), QUICK)
    found = {each.system: each for each in result.systems}
    assert [found[name].precision.value for name in ("Alder", "Birch", "Cedar")] == [1.0, 0.0, 0.0]
    assert [found[name].weighted_precision.value for name in ("Alder", "Birch", "Cedar")] == [1.0, 1.0, 0.0]
    assert (result.total.judged, result.total.share.value) == (2, 0.5)


def test_the_page_says_what_people_accept(researcher: Client) -> None:
    judged = campaign(*REFERENCES)
    result_of(WEIGHTED_EDITS, judged)
    page = researcher.get(f"/campaigns/{judged.uuid}/analyses/weighted-edits/").content.decode()
    assert "People accept 50\xa0% of edits that the references lack" in page


def test_without_references_the_page_says_what_is_missing(researcher: Client) -> None:
    judged = campaign()
    page = researcher.get(f"/campaigns/{judged.uuid}/analyses/weighted-edits/").content.decode()
    assert "The corpus has no references." in page


def state(judged: Campaign) -> str:
    return version_of(WEIGHTED_EDITS, judged).state


def test_labels_are_inputs_only_where_errant_found_the_judged_edits() -> None:
    judged = campaign(*REFERENCES)
    before = state(judged)
    label(judged.corpus)
    assert state(judged) == before
    name_extractor(judged, "errant")
    assert state(judged) != before
    labelled = state(judged)
    label(judged.corpus, ToyPipeline("toy-2"))
    assert state(judged) != labelled


def name_extractor(judged: Campaign, extractor: str) -> None:
    for rating in Rating.objects.filter(revision__judgment__campaign=judged):
        rating.rating_details = {**(rating.rating_details or {}), "extractor": extractor}
        rating.save()


def test_edits_that_errant_labelled_are_found_by_its_labels() -> None:
    judged = campaign(*REFERENCES)
    name_extractor(judged, "errant")
    with pytest.raises(RefusedError, match="The edits of 3 texts have no labels"):
        result_of(WEIGHTED_EDITS, judged, QUICK)
    label(judged.corpus)
    result = result_of(WEIGHTED_EDITS, judged, QUICK)
    assert {(each.type, each.judged) for each in result.types} >= {("R:VERB:TENSE", 1)}
    assert (result.total.judged, result.total.share.value) == (2, 0.5)
