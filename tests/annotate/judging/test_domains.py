"""One domain per day, if a campaign separates domains."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from annotate.judging.domains import domain_of_day, left_for_other_days
from annotate.judging.handout import give_next_showing
from annotate.models import Annotator, Campaign, Corpus, Judgment, JudgmentState, Slot, SlotState
from tests.annotate.running import NOON, answer, answer_all, cast, pass_over, running, shown
from tests.annotate.samples import sentence, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("protocol"), pytest.mark.any_protocol]

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


def test_domains_of_another_day_are_named(corpus: Corpus) -> None:
    [anna] = cast(separated(corpus), "anna")
    assert left_for_other_days(anna, NOON) == []
    [today] = set(domains(answer_all(anna)))
    assert left_for_other_days(anna, NOON) == sorted(set(DOMAINS) - {today})
    assert left_for_other_days(anna, NOON + DAY) == []


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Pacific/Auckland", (2026, 5, 4), 24),
        ("Europe/Berlin", (2026, 3, 29), 23),
        ("Europe/Berlin", (2026, 10, 25), 25),
        ("Africa/Cairo", (2026, 4, 24), 23),  # Its clocks go from 0:00 to 1:00: there is no midnight.
    ],
)
def test_the_day_is_that_of_the_campaign_s_time_zone_however_long(
    corpus: Corpus, zone: str, day: tuple[int, int, int], hours: int
) -> None:
    [anna] = cast(separated(corpus, time_zone=zone), "anna")
    begins = datetime(*day, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    ends = begins + timedelta(hours=hours)
    answer_all(anna, begins)
    assert give_next_showing(anna, now=ends - timedelta(minutes=1)) is None
    assert give_next_showing(anna, now=ends) is not None


def test_where_no_sentence_has_a_domain_all_days_are_alike() -> None:
    sentences = [sentence(f"{n} .", f"{n} !", f"{n} ?") for n in range(6)]
    campaign = running(
        corpus=small_corpus(sentences=sentences),
        separates_domains=True,
        listed_sentences=list(range(6)),
        batch_size=2,
    )
    [anna] = cast(campaign, "anna")
    assert len(answer_all(anna)) == 6
    assert left_for_other_days(anna, NOON) == []


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
    monkeypatch.setattr("annotate.judging.handout.answers.REPEAT_DISTANCE", 4)
    campaign = separated(corpus, repeat_percent=100, batch_size=4)
    [anna] = cast(campaign, "anna")
    for day in range(8):
        assert len(set(domains(answer_all(anna, NOON + day * DAY)))) <= 1
    assert not campaign.slots.filter(repeats=None).exclude(state=SlotState.FILLED).exists()
    due = campaign.slots.filter(state=SlotState.RESERVED, due_at_screen__lte=Annotator.objects.get().screens)
    assert not due.exists()
    assert Judgment.objects.filter(slot__repeats__isnull=False).exists()


def test_a_begun_batch_comes_before_a_repeat_of_another_domain(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotate.judging.handout.answers.REPEAT_DISTANCE", 4)
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


def test_a_late_answer_to_a_free_slot_sets_the_domain_of_the_day(corpus: Corpus) -> None:
    """Ben, whose day is of another domain, frees what Anna left, and leaves it there."""
    campaign = separated(corpus, batch_size=2, lease_minutes=60)
    ben, anna = cast(campaign, "ben anna")
    of_ben = [answer(shown(ben)) for _ in range(2)]
    late = shown(anna, NOON)
    while late.slot.item.sentence.domain == of_ben[0].item.sentence.domain:
        answer(late)
        late = shown(anna)
    answer_all(ben, NOON + timedelta(hours=2))
    assert Slot.objects.get(pk=late.slot.pk).state == SlotState.FREE
    assert answer(late, NOON + DAY).state == JudgmentState.COMPLETE
    anna.refresh_from_db()
    assert domain_of_day(anna, NOON + DAY) == late.slot.item.sentence.domain
    assert set(domains(answer_all(anna, NOON + DAY))) == {late.slot.item.sentence.domain}
