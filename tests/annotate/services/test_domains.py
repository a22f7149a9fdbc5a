"""One domain a day, where a campaign separates them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from annotate.models import Annotator, Campaign, Corpus, Judgment, JudgmentState, Slot, SlotState
from annotate.services.domains import left_for_other_days
from annotate.services.handout import next_showing
from tests.annotate.running import NOON, answer, answer_all, cast, pass_over, running, shown
from tests.annotate.samples import sentence, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("protocol")]

DAY = timedelta(days=1)
DOMAINS = ("news", "essays", "")


@pytest.fixture
def corpus() -> Corpus:
    """Four sentences of each of three domains, one of them without a name."""
    return small_corpus(
        sentences=[
            sentence(f"{n} {domain} .", f"{n} {domain} !", f"{n} {domain} ?", domain=domain)
            for domain in DOMAINS
            for n in range(4)
        ]
    )


def separated(corpus: Corpus, **design: Any) -> Campaign:
    options: dict[str, Any] = {
        "listed_sentences": list(range(12)),
        "batch_size": 3,
        "lease_minutes": 30_000,
        **design,
    }
    return running(corpus=corpus, separates_domains=True, **options)


def domains(judgments: Sequence[Judgment]) -> list[str]:
    return [judgment.item.sentence.domain for judgment in judgments]


def test_batches_hold_one_domain_and_say_which(corpus: Corpus) -> None:
    for batch in separated(corpus).batches.all():
        assert {slot.item.sentence.domain for slot in batch.slots.all()} == {batch.domain}


def test_a_day_brings_one_domain_and_the_next_day_another(corpus: Corpus) -> None:
    [anna] = cast(separated(corpus), "anna")
    days = [set(domains(answer_all(anna, NOON + day * DAY))) for day in range(4)]
    assert [len(day) for day in days] == [1, 1, 1, 0]
    assert set().union(*days) == set(DOMAINS)


def test_without_separation_a_day_brings_them_all(corpus: Corpus) -> None:
    campaign = running(corpus=corpus, listed_sentences=list(range(12)), batch_size=3)
    [anna] = cast(campaign, "anna")
    assert set(domains(answer_all(anna))) == set(DOMAINS)
    assert set(campaign.batches.values_list("domain", flat=True)) == {""}
    assert left_for_other_days(anna, NOON) == []


def test_what_waits_for_another_day_is_named(corpus: Corpus) -> None:
    [anna] = cast(separated(corpus), "anna")
    assert left_for_other_days(anna, NOON) == []
    [today] = set(domains(answer_all(anna)))
    assert left_for_other_days(anna, NOON) == sorted(set(DOMAINS) - {today})
    assert left_for_other_days(anna, NOON + DAY) == []


def test_the_day_ends_at_midnight_in_the_campaign_s_time_zone(corpus: Corpus) -> None:
    zone = "Pacific/Auckland"
    [anna] = cast(separated(corpus, time_zone=zone), "anna")
    late = datetime(2026, 5, 4, 23, 59, tzinfo=ZoneInfo(zone))
    answer_all(anna, late)
    assert next_showing(anna, now=late) is None
    assert next_showing(anna, now=late + timedelta(minutes=1)) is not None


def test_a_batch_that_was_begun_goes_on_the_next_day(corpus: Corpus) -> None:
    [anna] = cast(separated(corpus), "anna")
    first = answer(shown(anna))
    assert set(domains(answer_all(anna, NOON + DAY))) == set(domains([first]))


def test_a_skip_settles_the_day_too(corpus: Corpus) -> None:
    [anna] = cast(separated(corpus, batch_size=1), "anna")
    skipped = pass_over(shown(anna))
    assert set(domains(answer_all(anna))) == set(domains([skipped]))


def test_a_screen_that_was_only_looked_at_settles_nothing(corpus: Corpus) -> None:
    anna, ben = cast(separated(corpus, batch_size=4, lease_minutes=60))
    looked_at = shown(anna)
    later = NOON + timedelta(hours=2)
    assert shown(ben, later).slot == looked_at.slot
    assert shown(anna, later).slot.item.sentence.domain != looked_at.slot.item.sentence.domain


def test_a_repeat_waits_for_a_day_of_its_domain(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotate.services.handout.answers.REPEAT_DISTANCE", 4)
    campaign = separated(corpus, repeat_percent=100, batch_size=4)
    [anna] = cast(campaign, "anna")
    for day in range(8):
        assert len(set(domains(answer_all(anna, NOON + day * DAY)))) <= 1
    assert not campaign.slots.filter(repeats=None).exclude(state=SlotState.FILLED).exists()
    due = campaign.slots.filter(state=SlotState.RESERVED, due_at_screen__lte=Annotator.objects.get().screens)
    assert not due.exists()
    assert Judgment.objects.filter(slot__repeats__isnull=False).exists()


def test_who_has_begun_a_batch_goes_on_with_it_before_a_repeat_of_another_domain(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotate.services.handout.answers.REPEAT_DISTANCE", 4)
    [anna] = cast(separated(corpus, repeat_percent=100, batch_size=4), "anna")
    answer_all(anna)
    begun = [answer(shown(anna, NOON + DAY), NOON + DAY) for _ in range(2)]
    assert Slot.objects.filter(state=SlotState.RESERVED, due_at_screen__lte=6).exists()
    assert set(domains(answer_all(anna, NOON + 2 * DAY))) == set(domains(begun))


def test_a_late_answer_of_another_domain_is_kept_and_settles_nothing(corpus: Corpus) -> None:
    anna, ben = cast(separated(corpus, batch_size=4, lease_minutes=60))
    late = shown(anna)
    answer(shown(ben, NOON + DAY), NOON + DAY)
    assert answer(late, NOON + DAY).state == JudgmentState.SURPLUS
    given = answer_all(anna, NOON + DAY)
    assert given
    assert late.slot.item.sentence.domain not in domains(given)
