"""Short helpers for a running campaign and annotators who answer."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from annotate.campaigns.lifecycle import create_campaign, launch
from annotate.design.protocols import Answer, RatingValue
from annotate.judging.handout import Submission, give_next_showing, save_draft, shown_outputs, skip, submit
from annotate.models import Annotator, Campaign, Corpus, Design, Judgment, Sampling, Showing, Slot
from tests.annotate import protocols
from tests.annotate.samples import no_progress, small_corpus

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
LEASE = timedelta(minutes=60)
SECOND = timedelta(seconds=1)
TOO_LATE = NOON + LEASE + SECOND
MANY_OUTPUTS = (0, 1, 3)
"""Positions of the small corpus' sentences that have more than one output."""
ONE_OUTPUT = 2

SECRET = "secret of tests"
"""Secret of the campaigns that tests launch (`tests.conftest`), unless they give another."""

SIMPLE: Mapping[str, object] = {"annotators_per_item": 1, "repeat_percent": 0, "batch_size": 2}


def listed(items: int) -> dict[str, object]:
    """A design of so many items with several outputs each."""
    return {
        "sampling": Sampling.LISTED,
        "listed_sentences": [MANY_OUTPUTS[item % len(MANY_OUTPUTS)] for item in range(items)],
    }


def draft(
    name: str = "campaign",
    *,
    items: int = 6,
    corpus: Corpus | None = None,
    protocol: str | None = None,
    **design: object,
) -> Campaign:
    """A campaign of so many items, before its launch; one annotator an item unless the design says more."""
    corpus = corpus or small_corpus(f"corpus of {name}")
    return create_campaign(
        name=name,
        corpus=corpus,
        protocol=protocol or protocols.current,
        systems=list(corpus.systems.all()),
        design=Design(
            **protocols.fitting({"items": items, **SIMPLE, **listed(items), **design}, protocol or "")
        ),
    )


def running(name: str = "campaign", *, secret: str | None = None, **changes: object) -> Campaign:
    """A launched campaign; all draws follow from the secret."""
    campaign = draft(name, **changes)  # type: ignore[arg-type]  # as `draft` has them
    launch(campaign, progress=no_progress, secret=secret)
    return campaign


def cast(campaign: Campaign, names: str = "anna ben") -> list[Annotator]:
    """Annotators of the campaign by these names."""
    return [Annotator.objects.create(campaign=campaign, name=name) for name in names.split()]


def shown(annotator: Annotator, now: datetime = NOON) -> Showing:
    """The screen that the annotator has to judge now; there must be one."""
    showing = give_next_showing(annotator, now=now)
    assert showing is not None
    return showing


def answer_to(showing: Showing) -> Answer:
    """The outputs judged as they stand, the first the best."""
    return protocols.said(range(1, 10), len(shown_outputs(showing)))


def answer(
    showing: Showing,
    now: datetime = NOON,
    *,
    key: UUID | None = None,
    ratings: Sequence[RatingValue] = (),
    said: Answer | None = None,
) -> Judgment:
    """Submit these ratings, this answer or else some answer, under a key of its own unless one is given."""
    given = Answer(tuple(ratings)) if ratings else said or answer_to(showing)
    submission = Submission(key or uuid4())
    return submit(showing.annotator, showing.uuid, lambda question: given, submission, now=now)


def pass_over(showing: Showing, now: datetime = NOON, *, note: str = "") -> Judgment:
    """Skip it."""
    return skip(showing.annotator, showing.uuid, Submission(uuid4(), note=note), now=now)


def enter(showing: Showing, draft: Mapping[str, str], now: datetime = NOON) -> None:
    """Enter something without submitting."""
    save_draft(showing.annotator, showing.uuid, draft, now=now)


def answer_all(annotator: Annotator, now: datetime = NOON) -> list[Judgment]:
    """Answer until nothing is left for this annotator."""
    judgments = []
    while (showing := give_next_showing(annotator, now=now)) is not None:
        judgments.append(answer(showing, now))
    return judgments


def item_of(showing: Showing) -> int:
    """The number of the shown item."""
    return showing.slot.item.number


def state_of(showing: Showing) -> str:
    """The state of the shown slot as it is stored now."""
    return Slot.objects.get(pk=showing.slot_id).state
