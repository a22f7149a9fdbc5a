"""Workers of a platform: one annotator each, work counted by visit, and codes that must be earned."""

from functools import partial

import pytest
from django.core.exceptions import ValidationError

from annotate.campaigns.deletion import delete_campaign
from annotate.campaigns.lifecycle import close, pause
from annotate.crowd.visits import (
    ConsentChangedError,
    NotAdmittedError,
    agree,
    conclude,
    earlier_visit,
    uncredited,
)
from annotate.design.platforms import Arrival
from annotate.design.protocols import RatingValue
from annotate.judging.entering import add_annotator, mint_personal_link, revoke_links
from annotate.judging.exclusions import verdict_on
from annotate.judging.handout import give_next_showing, shown_outputs
from annotate.judging.work_done import WorkDone
from annotate.models import Annotator, Campaign, CampaignState, Consent, Corpus, Crowd, Visit, Worker
from ranking.annotators.control_rule import DEFAULT_RULE
from tests.annotate.crowds import crowd_of, visit_of
from tests.annotate.judging.test_handout_concurrency import at_once
from tests.annotate.running import answer, answer_all, pass_over, running, shown
from tests.annotate.samples import no_progress, sentence, small_corpus

pytestmark = pytest.mark.django_db


def judge(visit: Visit) -> Visit:
    """Judge what is handed out, and see what becomes of the visit."""
    answer_all(Annotator.objects.get(worker=visit.worker))
    return conclude(visit)


# --- Coming ---------------------------------------------------------------------------------------


def test_the_same_id_is_the_same_annotator_under_a_pseudonym() -> None:
    crowd = crowd_of(running())
    first, again, other = visit_of(crowd), visit_of(crowd), visit_of(crowd, "w2")
    assert first == again
    assert first.worker != other.worker
    assert Annotator.objects.count() == 2
    assert "w1" not in first.worker.annotator.name


def test_an_id_that_is_the_name_of_somebody_invited_is_not_them() -> None:
    campaign = running()
    ada = add_annotator(campaign, name="ada")
    assert visit_of(crowd_of(campaign), "ada").worker.annotator != ada


def test_the_agreed_text_is_stored_unchanged() -> None:
    crowd = crowd_of(running())
    visit = visit_of(crowd)
    crowd.consent = "Something else."
    crowd.save()
    assert Visit.objects.get().consent.text == "I *agree*."
    with pytest.raises(ConsentChangedError):
        agree(crowd, Arrival("w1", "s1", {}), digest=visit.consent.digest)
    assert visit_of(crowd).consent.text == "Something else."
    assert Consent.objects.count() == 2


def test_agreeing_twice_keeps_the_first_time() -> None:
    crowd = crowd_of(running())
    assert visit_of(crowd).agreed_at == visit_of(crowd).agreed_at


def test_nobody_new_comes_into_a_closed_campaign() -> None:
    campaign = running()
    crowd = crowd_of(campaign)
    visit_of(crowd)
    close(campaign)
    crowd.campaign.refresh_from_db()
    assert visit_of(crowd)
    for worker, visit in (("w2", "s1"), ("w1", "s2")):
        with pytest.raises(NotAdmittedError, match="ended"):
            visit_of(crowd, worker, visit)
    assert Annotator.objects.count() == 1


@pytest.mark.parametrize("shut_out", [revoke_links, mint_personal_link])
def test_an_excluded_worker_cannot_return_by_the_platform(shut_out: object) -> None:
    crowd = crowd_of(running())
    visit = visit_of(crowd)
    shut_out(visit.worker.annotator)  # type: ignore[operator]
    for key in ("s1", "s2"):
        with pytest.raises(NotAdmittedError, match="revoked"):
            earlier_visit(crowd, Arrival("w1", key, {}))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", range(3))
def test_a_new_worker_who_comes_several_times_at_once_is_one_annotator(attempt: int) -> None:
    crowd = crowd_of(running(secret=str(attempt)))
    visits = at_once([partial(visit_of, Crowd.objects.get(pk=crowd.pk)) for _ in range(6)])
    assert len(set(visits)) == 1
    assert Annotator.objects.count() == Worker.objects.count() == Visit.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_different_visits_of_a_new_worker_at_once_are_of_one_annotator() -> None:
    crowd = crowd_of(running())
    at_once([partial(visit_of, Crowd.objects.get(pk=crowd.pk), visit=f"s{n}") for n in range(4)])
    assert Annotator.objects.count() == Worker.objects.count() == 1
    assert Visit.objects.count() == 4


def test_a_deleted_campaign_takes_its_workers_along() -> None:
    campaign = running()
    judge(visit_of(crowd_of(campaign)))
    close(campaign)
    delete_campaign(campaign, by=None, progress=no_progress)
    assert not any(model.objects.exists() for model in (Crowd, Consent, Worker, Visit, Annotator))


# --- Working --------------------------------------------------------------------------------------


def test_a_visit_ends_after_its_batches_with_a_code() -> None:
    crowd = crowd_of(running(items=6, batch_size=2), batches_per_visit=2)
    visit = judge(visit_of(crowd))
    assert (visit.batches, visit.screens, visit.outcome, visit.code) == (2, 4, "passed", "PASSED")
    assert give_next_showing(visit.worker.annotator) is None


def test_an_end_comes_once() -> None:
    crowd = crowd_of(running())
    visit = judge(visit_of(crowd))
    ended = visit.ended_at
    Crowd.objects.update(code_passed="CHANGED")
    assert (judge(visit).ended_at, visit.code) == (ended, "PASSED")


def test_a_visit_that_is_not_finished_does_not_end() -> None:
    visit = visit_of(crowd_of(running(batch_size=3)))
    showing = give_next_showing(visit.worker.annotator)
    assert showing is not None
    answer(showing)
    pause(visit.worker.crowd.campaign)
    assert conclude(visit).outcome == "incomplete"


def test_each_visit_earns_a_batch_and_the_last_is_the_last() -> None:
    crowd = crowd_of(running(items=6, batch_size=2), visits_per_worker=2)
    for key in ("s1", "s2"):
        assert judge(visit_of(crowd, visit=key)).screens == 2
    with pytest.raises(NotAdmittedError, match="already done"):
        visit_of(crowd, visit="s3")


def test_one_batch_ends_one_visit_though_two_are_open() -> None:
    crowd = crowd_of(running(items=6, batch_size=2), visits_per_worker=2)
    first, second = visit_of(crowd, visit="s1"), visit_of(crowd, visit="s2")
    assert judge(second).outcome == "passed"
    assert conclude(first).outcome == "incomplete"
    assert judge(visit_of(crowd, visit="s1")).outcome == "passed"
    assert uncredited(first.worker) == WorkDone()


def test_a_worker_who_has_done_all_items_completes_the_visit() -> None:
    crowd = crowd_of(running(items=2, batch_size=2), batches_per_visit=9)
    assert judge(visit_of(crowd)).outcome == "passed"
    assert judge(visit_of(crowd, "w2")).outcome == "incomplete"


def test_skipping_everything_earns_nothing() -> None:
    visit = visit_of(crowd_of(running(items=4, batch_size=2)))
    while (showing := give_next_showing(visit.worker.annotator)) is not None:
        pass_over(showing)
    assert conclude(visit).outcome == "incomplete"


def test_a_batch_that_others_left_nearly_done_is_no_whole_visit() -> None:
    crowd = crowd_of(running(items=16, batch_size=8), visits_per_worker=2)
    leaving = visit_of(crowd, "w1")
    for _ in range(7):
        answer(shown(leaving.worker.annotator))
    pass_over(shown(leaving.worker.annotator))
    assert judge(visit_of(crowd, "w2")).screens == 9
    assert judge(leaving).screens == 7


def test_a_second_visit_is_as_long_as_the_first() -> None:
    crowd = crowd_of(running(items=40, batch_size=8), visits_per_worker=2)
    assert judge(visit_of(crowd, visit="s1")).screens == 8
    leaving = visit_of(crowd, "w2")
    pass_over(shown(leaving.worker.annotator))
    assert judge(visit_of(crowd, visit="s2")).screens == 9
    assert visit_of(crowd, visit="s2").outcome == "passed"


def test_an_allowance_is_for_workers_alone() -> None:
    campaign = running(items=6, batch_size=2)
    visit_of(crowd_of(campaign))
    assert len(answer_all(add_annotator(campaign, name="ada"))) == 6


# --- Passing --------------------------------------------------------------------------------------

CONTROL = "Cedar"


@pytest.fixture
def checked() -> Campaign:
    """A campaign with as many screens with source and control as the rule asks for."""
    corpus: Corpus = small_corpus(
        sentences=[
            sentence(f"Say {n} .", f"Say {n} !", f"Say {n} ?", f"Says {n} .")
            for n in range(DEFAULT_RULE.min_cases)
        ]
    )
    corpus.systems.filter(name=CONTROL).update(role="control")
    size = DEFAULT_RULE.min_cases
    return running(
        corpus=corpus, items=size, batch_size=size, outputs_per_screen=4, listed_sentences=list(range(size))
    )


@pytest.mark.parametrize(("rank_of_control", "outcome"), [(4, "passed"), (1, "failed")])
def test_a_worker_who_fails_the_controls_gets_the_other_code(
    checked: Campaign, rank_of_control: int, outcome: str
) -> None:
    visit = visit_of(crowd_of(checked))
    while (showing := give_next_showing(visit.worker.annotator)) is not None:
        ratings = [
            RatingValue(rank=rank_of_control if CONTROL in output.systems else 2)
            for output in shown_outputs(showing)
        ]
        answer(showing, ratings=ratings)
    visit = conclude(visit)
    assert (visit.outcome, visit.code) == (outcome, outcome.upper())


@pytest.mark.parametrize(
    ("screens", "outcome", "was_checked"), [(4, "passed", False), (5, "failed", True), (8, "failed", True)]
)
def test_the_control_rule_scales_to_the_length_of_a_visit(
    checked: Campaign, screens: int, outcome: str, was_checked: bool
) -> None:
    visit = visit_of(crowd_of(checked))
    for number in range(20):
        showing = give_next_showing(visit.worker.annotator)
        assert showing is not None
        if number < screens:
            answer(showing, ratings=[RatingValue(rank=1)] * 4)
        else:
            pass_over(showing)
    visit = conclude(visit)
    assert (visit.outcome, visit.was_checked) == (outcome, was_checked)
    assert (visit.control_cases, visit.control_passed) == (screens, 0)


def test_without_controls_everybody_passes() -> None:
    verdict = verdict_on(visit_of(crowd_of(running())).worker.annotator)
    assert verdict.passed
    assert verdict.was_checked is None


# --- Setting up -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("worker_parameter", {"platform": "other"}),
        ("worker_parameter", {"worker_parameter": "a b"}),
        ("visit_parameter", {"worker_parameter": "id", "visit_parameter": "id"}),
        ("captured_parameters", {"captured_parameters": ["ok", "<b>"]}),
        ("captured_parameters", {"captured_parameters": [f"p{n}" for n in range(21)]}),
        ("return_url", {"return_url": "http://example.org/?cc={code}"}),
        ("return_url", {"return_url": "https://example.org/"}),
        ("return_url", {"return_url": "javascript:alert({code})"}),
        ("code_passed", {"code_passed": "a b c d"}),
        ("code_failed", {"code_failed": "PASSED"}),
        ("code_returned", {"code_returned": "FAILED"}),
        ("batches_per_visit", {"batches_per_visit": 0}),
        ("platform", {"platform": "nowhere"}),
        ("consent", {"consent": ""}),
    ],
)
def test_a_crowd_that_cannot_work_is_refused(field: str, options: dict[str, object]) -> None:
    with pytest.raises(ValidationError) as error:
        crowd_of(running(), **options)
    assert list(error.value.message_dict) == [field]


def test_a_paused_campaign_lets_in_and_gives_nothing_out() -> None:
    campaign = running()
    crowd = crowd_of(campaign)
    Campaign.objects.update(state=CampaignState.PAUSED)
    visit = visit_of(crowd)
    assert give_next_showing(visit.worker.annotator) is None
    assert conclude(visit).outcome == "incomplete"
