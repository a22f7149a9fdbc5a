"""Corrections become references or a system, outputs judged valid become references, and all is undone."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.campaigns.launch_plans import plan_launch
from annotate.corpora.queries import sentences_with_references
from annotate.judgments.pseudonyms import pseudonym
from annotate.models import AuditEntry, Campaign, Corpus, Reference, ReferenceSet, User
from annotate.references.candidates import draft_validity_campaign
from annotate.references.collecting import (
    ReferencesRefusedError,
    make_references,
    make_system,
    make_valid_references,
    remove_references,
)
from annotate.scores.evaluation import evaluation_set
from annotate.scores.queries import current_sets, score_sets
from annotate.scores.scoring import score_corpus
from core.progress import NoProgress
from jobs.models import Job, JobState
from jobs.worker import run_queued_jobs
from metrics import metric_from_text
from tests.annotate.references.answers import correcting_campaign, judging_campaign
from tests.annotate.samples import no_progress, small_corpus
from tests.annotate.tables import contents

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def corpus() -> Corpus:
    """In a language without a parser, so that edits are those of words."""
    return small_corpus(language="de")


def references(corpus: Corpus, position: int) -> dict[str, str]:
    rows = Reference.objects.filter(sentence__corpus=corpus, sentence__position=position)
    return dict(rows.values_list("annotator", "text"))


def test_each_correction_becomes_a_reference_under_its_annotators_pseudonym(corpus: Corpus) -> None:
    campaign = correcting_campaign(corpus)
    before = contents()
    made = make_references(campaign, by=None, progress=no_progress)
    ada, ben, cyd = (pseudonym(campaign, name) for name in ("ada", "ben", "cyd"))
    assert references(corpus, 1) == {
        **dict.fromkeys(("1", ada, cyd), "I have two cats ."),
        ben: "I has two cat .",
    }
    assert references(corpus, 0)[f"{ada}-2"] == "She went home ."
    assert (made.size, made.origin, made.campaign_name) == (8, "written", "written")
    edits = Reference.objects.get(annotator=ada, sentence__position=1).edits or []
    assert edits[0] == [1, 2, "R:OTHER", ["have"], "REQUIRED", "-NONE-"]
    assert AuditEntry.objects.get().action == "make-references"
    with pytest.raises(ReferencesRefusedError, match="are references already"):
        make_references(campaign, by=None, progress=no_progress)
    remove_references(made, by=None, progress=no_progress)
    AuditEntry.objects.all().delete()
    assert contents() == before


def test_outputs_judged_valid_become_references_that_keep_their_systems(corpus: Corpus) -> None:
    campaign = judging_campaign(corpus)
    before = evaluation_set(corpus)
    made = make_valid_references(campaign, by=None, progress=no_progress)
    # "She went home ." is a reference already, and as many said yes as no to the other one.
    [kept] = made.collected.all()
    assert (kept.reference.text, kept.reference.annotator) == ("He likes tea and cake .", "valid-1")
    assert kept.systems == ["Birch"]
    grown = evaluation_set(corpus)
    assert grown.references is not None
    assert grown.annotations is not None
    assert before.references is not None
    assert grown.references[:3] == before.references[:3]
    assert grown.references[3] == ("He likes tea and cake .",)
    # The sentence had no gold edits, so it stays unchanged by one annotator.
    assert [each.annotator for each in grown.annotations[3]] == ["", "valid-1"]
    assert evaluation_set(corpus, judged=False) == before
    assert [each.annotator for each in sentences_with_references(corpus, judged=False)[3].references] == []
    with pytest.raises(ReferencesRefusedError, match="not a reference of the corpus already"):
        make_valid_references(campaign, by=None, progress=no_progress)


def test_earlier_scores_stay_beside_the_new_and_return_when_references_are_removed(corpus: Corpus) -> None:
    metrics = [metric_from_text("m2")]
    score_corpus(corpus=corpus, metrics=metrics, by=None, steps=NoProgress())
    [first] = current_sets(corpus)
    made = make_valid_references(judging_campaign(corpus), by=None, progress=no_progress)
    score_corpus(corpus=corpus, metrics=metrics, by=None, steps=NoProgress())
    [second] = current_sets(corpus)
    assert list(score_sets(corpus)) == [first, second]

    def false_positives(system: str) -> tuple[float, float]:
        details = [each.system_scores.get(system__name=system).details for each in (first, second)]
        before, after = (each["proposed"] - each["correct"] for each in details)
        return before, after

    before, after = false_positives("Birch")
    assert after < before
    assert remove_references(made, by=None, progress=no_progress) == ["m2"]
    assert current_sets(corpus) == [first]


def test_the_most_frequent_corrections_become_a_system(corpus: Corpus) -> None:
    campaign = correcting_campaign(corpus)
    with pytest.raises(ReferencesRefusedError, match="already has a system Alder"):
        make_system(campaign, name="Alder", by=None)
    with pytest.raises(ReferencesRefusedError, match="already has a system"):
        make_system(campaign, name="ALDER", by=None)
    with pytest.raises(ReferencesRefusedError, match="The identifier NUL is reserved by Windows"):
        make_system(campaign, name="NUL", by=None)
    before = contents()
    made = make_system(campaign, name="PEOPLE", by=None)
    assert made.system is not None
    outputs = made.system.outputs.order_by("sentence__position").values_list("text", flat=True)
    assert list(outputs) == ["She goes home .", "I have two cats .", "He likes tea and cake ."]
    assert made.system.role == "reference"
    user = Campaign.objects.create(name="uses it", corpus=corpus, protocol="validity")
    user.systems.add(made.system)
    with pytest.raises(ReferencesRefusedError, match="in use by 'uses it'"):
        remove_references(made, by=None, progress=no_progress)
    user.delete()
    remove_references(ReferenceSet.objects.get(), by=None, progress=no_progress)
    AuditEntry.objects.all().delete()
    assert contents() == before


def test_a_validity_campaign_asks_for_the_most_frequent_outputs_first(corpus: Corpus) -> None:
    campaign = draft_validity_campaign(corpus, name="ask", most=3, annotators=3)
    plan = plan_launch(campaign)
    shown = [plan.outputs[item.sentence][output] for item in plan.items for output in item.outputs]
    assert [set(systems) - {"INPUT"} for systems in shown] == [{"Cedar"}, {"Birch"}, {"Cedar"}]
    assert len(plan.assignment.slots) == 9
    assert campaign.protocol == "validity"


def test_admins_do_all_this_by_a_click(admin: Client, corpus: Corpus) -> None:
    written, judged = correcting_campaign(corpus), judging_campaign(corpus)
    assert admin.get(reverse("references", args=[corpus.uuid])).status_code == 200
    admin.post(reverse("make-references", args=[judged.uuid]))
    admin.post(reverse("make-references", args=[written.uuid]), {"what": "references"})
    admin.post(reverse("make-references", args=[written.uuid]), {"what": "system", "name": "PEOPLE"})
    refused = admin.post(
        reverse("make-references", args=[written.uuid]), {"what": "system", "name": "not a name"}, follow=True
    )
    assert "letters, digits, dots" in refused.content.decode()
    draft = {"name": "ask", "most": "2", "annotators": "3"}
    admin.post(reverse("draft-validity", args=[corpus.uuid]), draft)
    run_queued_jobs()
    assert {job.state for job in Job.objects.all()} == {JobState.DONE}
    assert Campaign.objects.get(name="ask").design.listed_outputs
    again = admin.post(reverse("draft-validity", args=[corpus.uuid]), draft)
    assert (again.status_code, "Another campaign has this name" in again.content.decode()) == (422, True)
    page = admin.get(reverse("references", args=[corpus.uuid])).content.decode()
    assert "Systems that are not among them are at a disadvantage" in page
    for made in ReferenceSet.objects.all():
        address = reverse("remove-references", args=[corpus.uuid, made.uuid])
        assert "Remove" in admin.get(address).content.decode()
        admin.post(address)
    run_queued_jobs()
    assert not ReferenceSet.objects.exists()
    assert User.objects.get().username in {entry.who for entry in AuditEntry.objects.all()}
