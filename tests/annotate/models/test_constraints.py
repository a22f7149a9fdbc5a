"""Each named database constraint refuses invalid rows."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import BaseConstraint, Model, UniqueConstraint, UUIDField
from django.utils import timezone

from annotate.database.audit_log import record
from annotate.machines.making import mint_token
from annotate.models import (
    Annotator,
    AnsweredHour,
    ApiToken,
    Assignment,
    AuditAction,
    AuditEntry,
    Batch,
    Campaign,
    Consent,
    Corpus,
    Crowd,
    Design,
    InsertedError,
    Item,
    ItemOutput,
    Judgment,
    Link,
    Machine,
    MachineLease,
    Output,
    OutputEdit,
    OutputScore,
    PracticeAnswer,
    Production,
    Rating,
    Reference,
    ReferenceEdit,
    ReferenceSet,
    Revision,
    ScorePiece,
    ScoreSet,
    Sentence,
    Showing,
    Slot,
    Submission,
    SubmissionLink,
    Suggestion,
    System,
    SystemScore,
    User,
    Visit,
    Worker,
)
from tests.annotate.machine_judges import machine_of
from tests.annotate.samples import small_campaign, small_corpus
from tests.annotate.tables import TABLES

CONSTRAINTS = {
    constraint.name: (table, constraint) for table in TABLES for constraint in table._meta.constraints
}


def another(table: type[Model], **changes: object) -> None:
    """Store a row like the first of its table, but for the changes."""
    row = table._default_manager.order_by("pk")[0]
    row.pk = None
    row._state.adding = True
    for field in table._meta.fields:
        if isinstance(field, UUIDField):
            setattr(row, field.name, uuid.uuid4())
    for name, value in changes.items():
        setattr(row, name, value)
    row.save()


def change_all(table: type[Model], **changes: object) -> None:
    table._default_manager.update(**changes)


def twice_by_machine() -> None:
    machine = Annotator.every.get(kind="machine")
    for _ in range(2):
        another(Judgment, annotator=machine, by_machine=1)


def give_machine_an_account() -> None:
    Annotator.every.filter(kind="machine").update(user=User.objects.get())


VIOLATIONS: dict[str, Callable[[], None]] = {
    "audit_action_is_known": lambda: change_all(AuditEntry, action="mischief"),
    "user_role_is_known": lambda: change_all(User, role="boss"),
    "corpus_name_is_unique": lambda: another(Corpus),
    "corpus_state_is_known": lambda: change_all(Corpus, state="lost"),
    "corpus_language_is_a_tag": lambda: change_all(Corpus, language="en\n"),
    "corpus_tokenisation_is_known": lambda: change_all(Corpus, tokenisation="by hand"),
    "design_text_rules_are_known": lambda: change_all(Design, text_rules="by hand"),
    "submission_token_is_unique": lambda: another(SubmissionLink),
    "private_token_is_unique": lambda: another(Submission),
    "sentence_position_is_unique": lambda: another(Sentence),
    "sentence_text_is_not_empty": lambda: change_all(Sentence, text=""),
    "system_name_is_unique": lambda: another(System, role="control"),
    "system_name_is_plain": lambda: another(System, name="two words", role="system"),
    "system_role_is_known": lambda: change_all(System, role="boss"),
    "corpus_has_one_source_system": lambda: another(System, name="SECOND", role="source"),
    "output_has_one_suggestion": lambda: another(Suggestion),
    "output_is_distinct": lambda: another(Output),
    "system_has_one_output_per_sentence": lambda: another(Production),
    "error_ends_after_its_start": lambda: change_all(InsertedError, end=0),
    "output_edit_ends_after_its_start": lambda: change_all(OutputEdit, end=0),
    "reference_edit_ends_after_its_start": lambda: change_all(ReferenceEdit, end=0),
    "scores_are_computed_once": lambda: another(ScoreSet),
    "uploaded_scores_have_one_name": lambda: change_all(ScoreSet, is_uploaded=True, name="mine"),
    "score_set_state_is_known": lambda: change_all(ScoreSet, state="lost"),
    "score_piece_is_stored_once": lambda: another(ScorePiece),
    "output_is_scored_once": lambda: another(OutputScore),
    "system_is_scored_once": lambda: another(SystemScore),
    "reference_is_unique": lambda: another(Reference),
    "campaign_name_is_unique": lambda: another(Campaign),
    "reference_origin_is_known": lambda: change_all(ReferenceSet, origin="heaven"),
    "campaign_state_is_known": lambda: change_all(Campaign, state="lost"),
    "annotator_number_is_unique": lambda: another(Annotator, name="dora", number=1),
    "annotator_name_is_unique": lambda: another(Annotator, number=9),
    "annotator_account_is_unique": lambda: change_all(Annotator, user=User.objects.get()),
    "annotator_kind_is_known": lambda: change_all(Annotator, kind="ghost"),
    "machine_has_no_account": give_machine_an_account,
    "machine_token_is_unique": lambda: another(
        Machine, annotator=machine_of(Campaign.objects.get(), "other")
    ),
    "machine_states_its_model": lambda: change_all(Machine, model=""),
    "machine_seed_fits_json": lambda: change_all(Machine, seed=2**53),
    "machine_leases_an_item_once": lambda: another(MachineLease),
    "machine_answers_once": twice_by_machine,
    "machine_fills_no_slot": lambda: change_all(Judgment, by_machine=1, showing=Showing.objects.get()),
    "annotator_has_a_name": lambda: another(Annotator, name=""),
    "answered_hour_is_unique": lambda: another(AnsweredHour),
    "practice_item_is_answered_once": lambda: another(PracticeAnswer),
    "exclusion_has_a_reason": lambda: change_all(Annotator, excluded_at=timezone.now()),
    "item_number_is_unique": lambda: another(Item),
    "item_shows_an_output_once": lambda: another(ItemOutput),
    "batch_number_is_unique": lambda: another(Batch),
    "assignment_state_is_known": lambda: change_all(Assignment, state="lost"),
    "annotator_claims_a_batch_once": lambda: another(Assignment),
    "slot_is_unique": lambda: another(Slot, position=1),
    "slot_has_its_place": lambda: another(Slot, repetition=1),
    "slot_state_is_known": lambda: change_all(Slot, state="lost"),
    "leased_slot_has_a_claim": lambda: change_all(Slot, assignment=None),
    "slot_is_in_a_batch_or_repeats": lambda: change_all(Slot, state="reserved"),
    "slot_is_shown_to_an_annotator_once": lambda: another(Showing),
    "design_sampling_is_known": lambda: change_all(Design, sampling="by dice"),
    "design_screen_has_room_for_outputs": lambda: change_all(Design, outputs_per_screen=10),
    "design_shares_are_percentages": lambda: change_all(Design, shared_percent=101),
    "design_asks_for_something": lambda: change_all(Design, batch_size=0),
    "design_stop_line_is_known": lambda: change_all(Design, stops_when="somewhere"),
    "judgment_state_is_known": lambda: change_all(Judgment, state="lost"),
    "repetition_is_answered_once": lambda: another(Judgment),
    "revision_number_is_unique": lambda: another(Revision, is_current=False),
    "submission_is_stored_once": lambda: another(
        Revision,
        number=2,
        is_current=False,
        submission_key=Revision.objects.order_by("pk")[0].submission_key,
    ),
    "revision_opinion_is_known": lambda: change_all(Revision, opinion="seen"),
    "judgment_has_one_current_revision": lambda: another(Revision, number=2),
    "link_token_is_unique": lambda: another(Link, annotator=None),
    "annotator_has_one_valid_link": lambda: another(Link, token_digest="another"),
    "output_is_rated_once": lambda: another(Rating, position=99),
    "rating_has_its_place": lambda: another(Rating, item_output=ItemOutput.objects.order_by("pk").last()),
    "rank_counts_from_one": lambda: change_all(Rating, rank=0),
    "score_is_at_most_100": lambda: change_all(Rating, score=101),
    "api_token_is_unique": lambda: another(ApiToken, user=User.objects.create(username="ben")),
    "crowd_platform_is_known": lambda: change_all(Crowd, platform="tower"),
    "crowd_is_given_work": lambda: change_all(Crowd, batches_per_visit=0),
    "consent_is_kept_once": lambda: another(Consent),
    "worker_is_known_once": lambda: another(Worker, annotator=Annotator.objects.order_by("pk").last()),
    "visit_is_known_once": lambda: another(Visit),
    "visit_ends_with_a_code": lambda: change_all(Visit, passed=True),
}


@pytest.fixture
def one_row_of_each(db: None) -> None:
    campaign = small_campaign(small_corpus())
    InsertedError.objects.create(
        production=Production.objects.all()[0], kind="spelling", start=1, end=3, replacement="hte"
    )
    ReferenceSet.objects.create(corpus=campaign.corpus, campaign=campaign, origin="written", size=1)
    output, reference = Output.objects.all()[0], Reference.objects.all()[0]
    edit = {"type": "R:VERB", "start": 1, "end": 2, "correction": "goes"}
    Suggestion.objects.create(campaign=campaign, output=output, content={"spans": []})
    OutputEdit.objects.create(output=output, sentence=output.sentence, **edit)
    ReferenceEdit.objects.create(reference=reference, sentence=reference.sentence, **edit)
    corpus = campaign.corpus
    score_set = ScoreSet.objects.create(corpus=corpus, name="gleu", metric="gleu", signature="gleu")
    ScoreSet.objects.create(corpus=corpus, name="bleu", metric="bleu", signature="bleu")
    ScorePiece.objects.create(score_set=score_set, number=0, outputs=b"", sizes=b"", statistics=b"")
    OutputScore.objects.create(score_set=score_set, output=output, position=0, score=0.5)
    SystemScore.objects.create(score_set=score_set, system=corpus.systems.all()[0], value=0.5)
    PracticeAnswer.objects.create(
        annotator=campaign.annotators.order_by("pk")[0], attempt=1, number=1, agrees=True, fields={}
    )
    AnsweredHour.objects.create(
        annotator=campaign.annotators.order_by("pk")[0], hour=timezone.now(), filled_before=0
    )
    anna = User.objects.create(username="anna")
    ApiToken.objects.create(user=anna, digest="digest")
    batch = Batch.objects.create(campaign=campaign, number=1)
    assignment = Assignment.objects.create(
        batch=batch,
        annotator=campaign.annotators.order_by("pk")[0],
        leased_until=timezone.now() + timedelta(minutes=30),
    )
    Design.objects.create(campaign=campaign)
    slot = Slot.objects.create(
        campaign=campaign,
        item=campaign.items.order_by("pk")[0],
        repetition=0,
        batch=batch,
        position=0,
        state="leased",
        assignment=assignment,
        annotator=assignment.annotator,
    )
    Showing.objects.create(slot=slot, annotator=assignment.annotator)
    Link.objects.create(campaign=campaign, annotator=assignment.annotator, token_digest="digest")
    link = SubmissionLink.objects.create(corpus=corpus, task="Task", ends_at=timezone.now())
    Submission.objects.create(link=link, name="Elm")
    crowd = Crowd.objects.create(campaign=campaign)
    Visit.objects.create(
        worker=Worker.objects.create(crowd=crowd, annotator=assignment.annotator, platform_id="W1"),
        consent=Consent.objects.create(crowd=crowd, digest="digest"),
        agreed_at=timezone.now(),
    )
    machine = machine_of(campaign)
    mint_token(machine, by=None)
    lease = {"item": campaign.items.order_by("pk")[0], "leased_until": timezone.now()}
    MachineLease.objects.create(annotator=machine, **lease)
    record(user=None, action=AuditAction.EXPORT, subject=campaign)


def blamed(table: type[Model], constraint: BaseConstraint) -> str:
    """How the database names the constraint; SQLite names the columns of a unique one instead."""
    if connection.vendor != "sqlite" or not isinstance(constraint, UniqueConstraint):
        return constraint.name
    columns = {field.name: f"{table._meta.db_table}.{field.column}" for field in table._meta.fields}
    return "UNIQUE constraint failed: " + ", ".join(columns[name] for name in constraint.fields)


@pytest.mark.usefixtures("one_row_of_each")
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_the_database_refuses(name: str) -> None:
    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        VIOLATIONS[name]()
    assert blamed(*CONSTRAINTS[name]) in str(refusal.value)


@pytest.mark.usefixtures("one_row_of_each")
def test_rows_that_the_constraints_allow() -> None:
    item = Item.objects.order_by("pk")[0]
    another(Judgment, state="surplus")  # beside the answer that came in time
    another(Judgment, state="skipped")  # a skip frees the slot for somebody else
    another(Revision, number=2, is_current=False)
    another(Assignment, state="abandoned")
    another(Item, number=99)  # the same sentence with other outputs
    another(System, name="CONTROL", role="control")
    change_all(Annotator, user=None)
    assert item.judgments.count() == 4
