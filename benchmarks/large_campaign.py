"""A large campaign, made up: what pages and jobs are measured on.

    python -m benchmarks.large_campaign [--database sqlite|postgresql] [--judgments N] [--annotators N]

makes the database unless it is there already, brings it up to date with the migrations, and prints its
address. SQLite's file lies in `var/benchmarks/` and PostgreSQL's database is named after that of
DATABASE_URL; both are kept for the next run.

A million judgments come from 200 annotators on 10,000 items, sentences of a corpus of 100,000. With other
numbers, each annotator still judges half of the items, and the corpus holds ten times as many sentences.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

PROJECT = Path(__file__).resolve().parent.parent
FORM = 2
"""Counted up when what is made changes, so that older databases are made anew."""

JUDGMENTS = 1_000_000
ANNOTATORS = 200
OUTPUTS = 5
SCREENS_IN_A_BATCH = 100
SENTENCES_IN_A_DOCUMENT = 20
SYSTEMS = tuple(f"system-{number:02}" for number in range(1, 11))
SOURCE, CONTROL = "INPUT", "CONTROL"
NAME = "Large"
BEGIN = datetime(2026, 1, 5, tzinfo=UTC)
DURATION = timedelta(days=20)
CHUNK = 50_000


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is.

    Attributes:
        judgments: of the campaign, in any state.
        annotators: even in number.
    """

    judgments: int = JUDGMENTS
    annotators: int = ANNOTATORS

    def __post_init__(self) -> None:
        if self.annotators % 2 or self.judgments % (20 * self.annotators):
            raise ValueError(
                f"{self.judgments} judgments by {self.annotators} annotators: the annotators have to be even "
                "in number, and the judgments a multiple of twenty times as many."
            )

    @property
    def items(self) -> int:
        """Of which each annotator judges every other one."""
        return 2 * self.judgments // self.annotators

    @property
    def sentences(self) -> int:
        """Of the corpus."""
        return 10 * self.items

    @property
    def name(self) -> str:
        """Tells its database from others."""
        return f"size_{self.judgments}_{self.annotators}_{FORM}"


def database_url(kind: str, size: Size) -> str:
    """The address of the database, made and migrated if need be.

    Args:
        kind: `sqlite`, or `postgresql` on the server that DATABASE_URL names.
        size: how much is in it.
    """
    if kind == "sqlite":
        return _sqlite(size)
    return _postgresql(size)


def _sqlite(size: Size) -> str:
    folder = Path(os.environ.get("VAR_DIR", PROJECT / "var")) / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{size.name}.sqlite3"
    if not path.exists():
        making = path.with_suffix(".making")
        making.unlink(missing_ok=True)
        _run(f"sqlite:///{making}", "-m", "benchmarks.large_campaign", "--fill", *_arguments(size))
        making.rename(path)
    url = f"sqlite:///{path}"
    _run(url, "manage.py", "migrate", "--verbosity", "0")
    return url


def _postgresql(size: Size) -> str:
    import psycopg

    base = os.environ.get("DATABASE_URL", "")
    if not base.startswith("postgres"):
        sys.exit("--database postgresql needs DATABASE_URL to name a database of the server to use.")
    server = base.rpartition("/")[0]
    name = f"{urlsplit(base).path.strip('/')}_{size.name}"
    with psycopg.connect(base, autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            connection.execute(f'DROP DATABASE IF EXISTS "{name}_making" WITH (FORCE)')
            connection.execute(f'CREATE DATABASE "{name}_making"')
            _run(f"{server}/{name}_making", "-m", "benchmarks.large_campaign", "--fill", *_arguments(size))
            connection.execute(f'ALTER DATABASE "{name}_making" RENAME TO "{name}"')
    url = f"{server}/{name}"
    _run(url, "manage.py", "migrate", "--verbosity", "0")
    return url


def _arguments(size: Size) -> list[str]:
    return ["--judgments", str(size.judgments), "--annotators", str(size.annotators)]


def _run(url: str, *arguments: str) -> None:
    environment = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run([sys.executable, *arguments], check=True, cwd=PROJECT, env=environment)  # noqa: S603


def fill(size: Size) -> None:
    """Fill a database that is empty, but for its tables, with all that a large site holds."""
    from benchmarks.bulk_rows import count_keys_on

    rng = np.random.default_rng(1)
    _store_people(size)
    _store_corpus(size)
    _store_campaigns(size)
    _store_items(size)
    _store_work_to_do(size)
    for turns in range(0, size.judgments, CHUNK):
        _store_judgments(size, np.arange(turns, min(turns + CHUNK, size.judgments)), rng)
    _store_crowd()
    _store_records(size)
    _store_kept_numbers()
    count_keys_on()


def _store_people(size: Size) -> None:
    from annotate.models import Role, User
    from benchmarks.bulk_rows import store

    User.objects.create_user("admin", role=Role.ADMIN)
    User.objects.create_user("researcher", role=Role.RESEARCHER)
    people = 5 * size.annotators
    store(
        User,
        people,
        username=[f"person-{number:05}" for number in range(people)],
        password="!",  # noqa: S106
        role=Role.ANNOTATOR,
        date_joined=_stamps(np.zeros(people)),
    )


def _sentence_of(item: Any) -> Any:
    """Position of the sentence of an item: every tenth is asked."""
    return 10 * item


def _distinct(position: Any) -> Any:
    """Number of distinct outputs of a sentence; of those that are asked five at least."""
    return np.where(position % 10 == 0, OUTPUTS + position // 10 % 4, 3 + position % 7)


def _store_corpus(size: Size) -> None:
    from annotate.models import Corpus, InsertedError, Output, Production, Reference, Sentence, System
    from benchmarks.bulk_rows import store

    corpus = Corpus.objects.create(name=NAME, language="en", state="ready", digest="made up")
    systems = [
        System.objects.create(corpus=corpus, name=name, role=role).pk
        for name, role in ((SOURCE, "source"), (CONTROL, "control"), *((name, "system") for name in SYSTEMS))
    ]
    for begin in range(0, size.sentences, CHUNK):
        positions = np.arange(begin, min(begin + CHUNK, size.sentences))
        texts = [_text(position) for position in positions.tolist()]
        documents = (positions // SENTENCES_IN_A_DOCUMENT).tolist()
        sentences = store(
            Sentence,
            len(positions),
            corpus_id=corpus.pk,
            position=positions.tolist(),
            document=[f"document-{number:05}" for number in documents],
            domain=[f"domain-{number % 5}" for number in documents],
            text=texts,
        )
        store(
            Reference,
            len(positions),
            sentence_id=sentences,
            annotator="0",
            text=[f"{text} !" for text in texts],
        )
        distinct = _distinct(positions)
        versions = [
            text if version == 0 else _version(text, version)
            for text, number in zip(texts, distinct.tolist(), strict=True)
            for version in range(number)
        ]
        outputs = store(
            Output,
            len(versions),
            sentence_id=np.repeat(np.asarray(sentences), distinct).tolist(),
            text=versions,
            digest=[sha256(text.encode()).hexdigest() for text in versions],
        )
        firsts = np.cumsum(distinct) - distinct + outputs[0]
        made = _made_by(positions)
        productions = store(
            Production,
            made.size,
            system_id=systems * len(positions),
            output_id=(made + firsts[:, None]).ravel().tolist(),
            sentence_id=np.repeat(np.asarray(sentences), made.shape[1]).tolist(),
        )
        store(
            InsertedError,
            len(positions),
            production_id=productions[1 :: made.shape[1]],
            kind=[("article", "preposition", "noun-number", "spelling")[number % 4] for number in documents],
            start=0,
            end=8,
            replacement="Sentense",
        )


def _made_by(positions: Any) -> Any:
    """Which of its sentence's outputs each system made, from 0: sentences by source, control and systems.

    Output 0 is the source, 1 the control's alone; each of the others was made by a system at least.
    """
    systems = np.arange(len(SYSTEMS))[None, :]
    others = (_distinct(positions) - 2)[:, None]
    drawn = (positions[:, None] * 7 + systems * systems * 13 + systems) % others
    made = np.where(systems < others, systems, drawn) + 2
    made[:, -1] = np.where((positions % 3 == 0) & (others[:, 0] < len(SYSTEMS)), 0, made[:, -1])
    return np.column_stack([np.zeros(len(positions), int), np.ones(len(positions), int), made])


def _text(position: int) -> str:
    return (
        f"Sentence {position} is what a learner of English has wrote yesterday in the evening about a "
        "journey to the mountains which she have made ."
    )


def _version(text: str, version: int) -> str:
    return text.replace("has wrote", ("has write", "wrote", "has written")[version % 3]) + " ." * version


def _store_campaigns(size: Size) -> None:
    from annotate.models import Annotator, Campaign, Corpus, Crowd, Design, Link, System
    from benchmarks.bulk_rows import store

    corpus = Corpus.objects.get()
    systems = list(System.objects.all())
    for name, state, annotators in (
        (NAME, "running", size.annotators),
        ("Draft", "draft", 0),
        *((f"Earlier {number:02}", "closed", 20) for number in range(20)),
    ):
        campaign = Campaign.objects.create(
            name=name,
            corpus=corpus,
            protocol="relative-ranking",
            state=state,
            last_annotator_number=annotators,
        )
        campaign.systems.set(systems)
        Design.objects.create(
            campaign=campaign,
            items=size.items,
            sampling="uniform",
            annotators_per_item=size.annotators // 2,
            batch_size=SCREENS_IN_A_BATCH,
            guidelines="Rank the corrections.",
        )
        people = store(
            Annotator,
            annotators,
            campaign_id=campaign.pk,
            number=list(range(1, annotators + 1)),
            name=[f"annotator {number:04}" for number in range(annotators)],
            has_read_guidelines=True,
            has_practised=True,
            screens=size.judgments // annotators if state == "running" else 0,
        )
        store(
            Link,
            annotators,
            campaign_id=campaign.pk,
            annotator_id=people,
            token_digest=[sha256(f"{name} {number}".encode()).hexdigest() for number in people],
        )
    Crowd.objects.create(
        campaign=Campaign.objects.get(name=NAME),
        code_passed="PASSED",
        code_failed="FAILED",
        code_returned="RETURNED",
        consent="I agree.",
    )


def _store_items(size: Size) -> None:
    from annotate.models import Campaign, Item, ItemOutput, Output, Sentence
    from benchmarks.bulk_rows import store

    campaign = Campaign.objects.get(name=NAME)
    positions = _sentence_of(np.arange(size.items))
    first_sentence = Sentence.objects.earliest("pk").pk
    asked = (first_sentence + positions).tolist()
    items = store(
        Item,
        size.items,
        campaign_id=campaign.pk,
        number=list(range(size.items)),
        sentence_id=asked,
        is_held=[_put_by(number) == "held" for number in range(size.items)],
    )
    counts = _distinct(np.arange(size.sentences))
    firsts = Output.objects.earliest("pk").pk + np.cumsum(counts) - counts
    made = _made_by(positions)
    names = (SOURCE, CONTROL, *SYSTEMS)
    store(
        ItemOutput,
        size.items * OUTPUTS,
        item_id=np.repeat(np.asarray(items), OUTPUTS).tolist(),
        output_id=(firsts[positions][:, None] + np.arange(OUTPUTS)).ravel().tolist(),
        systems=[
            json.dumps(sorted(name for name, output in zip(names, row, strict=True) if output == shown))
            for row in made.tolist()
            for shown in range(OUTPUTS)
        ],
    )


def _put_by(item: int) -> str:
    """Whether the one judgment of the item that is still wanted is held or dropped, or waits for somebody."""
    return {99: "held", 98: "dropped"}.get(item % 200, "free")


def _is_skipped(turns: Any, size: Size) -> Any:
    return turns // size.annotators % 100 == 19


def _is_surplus(turns: Any, size: Size) -> Any:
    return turns // size.annotators % 1000 == 5


def _is_reported(turns: Any) -> Any:
    return turns % 1000 == 3


def _store_work_to_do(size: Size) -> None:
    """Batches, assignments and slots: the annotators' own, one more of each item, and a few repeats."""
    from annotate.models import Annotator, Assignment, Batch, Campaign, Item, Slot
    from benchmarks.bulk_rows import store

    campaign = Campaign.objects.get(name=NAME)
    people = Annotator.objects.filter(campaign=campaign).earliest("pk").pk
    first_item = Item.objects.earliest("pk").pk
    each = size.items // 2
    batches_each = -(-each // SCREENS_IN_A_BATCH)
    left = 2 * batches_each
    number = batches_each * size.annotators + left
    batches = store(Batch, number, campaign_id=campaign.pk, number=list(range(number)))
    leased = min(size.annotators // 2, batches_each // 2)
    end = (BEGIN + DURATION).strftime("%Y-%m-%d %H:%M:%S")
    done = store(
        Assignment,
        batches_each * size.annotators,
        batch_id=batches[: batches_each * size.annotators],
        annotator_id=np.repeat(np.arange(size.annotators) + people, batches_each).tolist(),
        state="done",
        leased_until=end,
        created_at=_stamps(np.tile(np.linspace(0, 0.9, batches_each), size.annotators)),
    )
    active = store(
        Assignment,
        leased,
        batch_id=batches[-left:][:leased],
        annotator_id=[people + 2 * place + 1 for place in range(leased)],
        state="active",
        leased_until="2099-01-01 00:00:00",
        created_at=end,
    )
    for annotator in range(size.annotators):
        turns = np.arange(each) * size.annotators + annotator
        freed = _is_skipped(turns, size) | _is_surplus(turns, size)
        # The same slots as in `_slot_of`, in their order there.
        turns_in_order = np.argsort((_item_of(turns, size) - annotator % 2) // 2)
        freed = freed[turns_in_order].tolist()
        place = np.arange(each)
        store(
            Slot,
            each,
            campaign_id=campaign.pk,
            item_id=(first_item + 2 * place + annotator % 2).tolist(),
            repetition=annotator // 2,
            batch_id=(batches[0] + annotator * batches_each + place // SCREENS_IN_A_BATCH).tolist(),
            position=(place % SCREENS_IN_A_BATCH).tolist(),
            state=["free" if free else "filled" for free in freed],
            left_over=freed,
            annotator_id=[None if free else people + annotator for free in freed],
            assignment_id=[
                None if free else done[annotator * batches_each + number // SCREENS_IN_A_BATCH]
                for number, free in enumerate(freed)
            ],
        )
    _store_slots_left(size, campaign, batches[-left:], active, first_item, people)


def _store_slots_left(
    size: Size, campaign: Any, batches: Sequence[int], active: Sequence[int], first_item: int, people: int
) -> None:
    from annotate.models import Slot
    from benchmarks.bulk_rows import store

    each = size.items // 2
    items = [2 * place + half for half in (0, 1) for place in range(each)]
    places = [
        (half * (len(batches) // 2) + place // SCREENS_IN_A_BATCH, place % SCREENS_IN_A_BATCH)
        for half in (0, 1)
        for place in range(each)
    ]
    is_leased = [batch < len(active) for batch, _ in places]
    store(
        Slot,
        size.items,
        campaign_id=campaign.pk,
        item_id=[first_item + item for item in items],
        repetition=size.annotators // 2,
        batch_id=[batches[batch] for batch, _ in places],
        position=[position for _, position in places],
        state=["leased" if leased else _put_by(item) for leased, item in zip(is_leased, items, strict=True)],
        annotator_id=[
            people + 2 * batch + 1 if leased else None
            for leased, (batch, _) in zip(is_leased, places, strict=True)
        ],
        assignment_id=[
            active[batch] if leased else None for leased, (batch, _) in zip(is_leased, places, strict=True)
        ],
    )
    repeated = range(0, size.items, 50)
    store(
        Slot,
        len(repeated),
        campaign_id=campaign.pk,
        item_id=[first_item + item for item in repeated],
        repetition=size.annotators // 2 + 1,
        batch_id=None,
        position=None,
        state="reserved",
        annotator_id=people,
        repeats_id=[item // 2 + 1 for item in repeated],
        due_at_screen=10 * size.items,
    )


def _item_of(turns: Any, size: Size) -> Any:
    """Number of the item: an annotator judges those that are even, or those that are odd, as they are."""
    nth, annotator = turns // size.annotators, turns % size.annotators
    return (2 * nth + annotator) % size.items


def _slot_of(turns: Any, size: Size) -> Any:
    """Key of the slot: an annotator's lie together, in the order of the items."""
    annotator = turns % size.annotators
    return annotator * (size.items // 2) + (_item_of(turns, size) - annotator % 2) // 2 + 1


def _store_judgments(size: Size, turns: Any, rng: np.random.Generator) -> None:
    """The annotators answer in turns."""
    from annotate.models import Annotator, Campaign, Item, Judgment, Revision, Showing
    from benchmarks.bulk_rows import store

    campaign = Campaign.objects.get(name=NAME)
    people = Annotator.objects.filter(campaign=campaign).earliest("pk").pk
    first_item = Item.objects.earliest("pk").pk
    annotators = (people + turns % size.annotators).tolist()
    slots = _slot_of(turns, size).tolist()
    skipped, surplus = _is_skipped(turns, size), _is_surplus(turns, size)
    states = np.where(skipped, "skipped", np.where(surplus, "surplus", "complete")).tolist()
    at = turns / size.judgments
    began, ended = _stamps(at), _stamps(at, seconds=20)
    showings = store(Showing, len(turns), slot_id=slots, annotator_id=annotators, shown_at=began)
    judgments = store(
        Judgment,
        len(turns),
        campaign_id=campaign.pk,
        item_id=(first_item + _item_of(turns, size)).tolist(),
        annotator_id=annotators,
        slot_id=[slot if state == "complete" else None for slot, state in zip(slots, states, strict=True)],
        showing_id=showings,
        repetition=(turns % size.annotators // 2).tolist(),
        state=states,
        is_reported=(_is_reported(turns) & ~skipped).tolist(),
    )
    revised = ~skipped & (turns % 50 == 7)
    notes = np.where(
        skipped, "I do not understand it.", np.where(_is_reported(turns), "The second one is cut off.", "")
    )
    for number, of in ((1, np.ones(len(turns), bool)), (2, revised)):
        revisions = store(
            Revision,
            int(of.sum()),
            judgment_id=np.asarray(judgments)[of].tolist(),
            number=number,
            is_current=[True] * int(of.sum()) if number == 2 else (~revised).tolist(),
            started_at=[stamp for stamp, one in zip(began, of, strict=True) if one],
            submitted_at=[stamp for stamp, one in zip(ended, of, strict=True) if one],
            active_ms=20_000,
            note=notes[of].tolist(),
        )
        rated = ~skipped[of]
        _store_ratings(
            np.asarray(revisions)[rated], _item_of(turns[of][rated], size), turns[of][rated], size, rng
        )


def _store_ratings(revisions: Any, items: Any, turns: Any, size: Size, rng: np.random.Generator) -> None:
    """Careful annotators put the control last; systems get better with their number."""
    from annotate.models import ItemOutput, Rating
    from benchmarks.bulk_rows import store

    shown = rng.permuted(np.tile(np.arange(OUTPUTS), (len(revisions), 1)), axis=1)
    carelessness = 0.4 + turns % size.annotators / size.annotators
    quality = np.array([0.5, 0.0, 1.0, 1.2, 1.5])[shown]
    felt = np.round(quality + carelessness[:, None] * rng.normal(size=shown.shape), 1)
    ranks = 1 + (felt[:, None, :] > felt[:, :, None]).sum(axis=2)
    first = ItemOutput.objects.earliest("pk").pk
    store(
        Rating,
        shown.size,
        revision_id=np.repeat(revisions, OUTPUTS).tolist(),
        item_output_id=(first + items[:, None] * OUTPUTS + shown).ravel().tolist(),
        position=list(range(OUTPUTS)) * len(revisions),
        rank=ranks.ravel().tolist(),
    )


def _store_crowd() -> None:
    """Each annotator is a worker who came ten times."""
    from annotate.models import Annotator, Consent, Crowd, Visit, Worker
    from benchmarks.bulk_rows import store

    crowd = Crowd.objects.get()
    consent = Consent.objects.create(crowd=crowd, text=crowd.consent, digest=crowd.consent_digest)
    people = list(
        Annotator.objects.filter(campaign=crowd.campaign_id).order_by("pk").values_list("pk", flat=True)
    )
    workers = store(
        Worker,
        len(people),
        crowd_id=crowd.pk,
        annotator_id=people,
        platform_id=[f"{number:024x}" for number in range(len(people))],
    )
    visits = 10
    store(
        Visit,
        visits * len(people),
        worker_id=np.repeat(np.asarray(workers), visits).tolist(),
        key=[f"visit-{number}" for number in range(visits)] * len(people),
        consent_id=consent.pk,
        agreed_at=_stamps(np.zeros(visits * len(people))),
        ended_at=([*_stamps(np.ones(visits - 1)), None]) * len(people),
        passed=([True] * (visits - 1) + [None]) * len(people),
        code=(["PASSED"] * (visits - 1) + [""]) * len(people),
        batches=1,
        screens=100,
        active_ms=2_000_000,
    )


def _store_records(size: Size) -> None:
    """Jobs that ended, and the audit."""
    from annotate.models import AuditEntry, User
    from benchmarks.bulk_rows import store
    from jobs.models import Job

    rows = size.items
    at = np.linspace(0, 1, rows)
    admin = User.objects.get(username="admin").pk
    store(
        AuditEntry,
        rows,
        at=_stamps(at),
        user_id=admin,
        who="admin",
        action=["export", "make-link"] * (rows // 2),
        kind="campaign",
        name=NAME,
        details='{"format": "csv"}',
    )
    store(
        Job,
        rows,
        kind="check-upload",
        title="Check of an upload",
        parameters="{}",
        key=[f"{number:064x}" for number in range(rows)],
        owner_id=admin,
        state="done",
        result='{"summary": "Nothing to import."}',
        created_at=_stamps(at),
        started_at=_stamps(at, seconds=1),
        finished_at=_stamps(at, seconds=2),
    )


def _store_kept_numbers() -> None:
    """What the program would have kept with each answer."""
    from django.db.models import Count, Max, Q, Sum
    from django.db.models.functions import TruncHour

    from annotate.models import Annotator, AnsweredHour, Campaign, Corpus, Judgment, JudgmentState, Revision
    from annotate.services.corpus_figures import FIGURES, count_corpus
    from benchmarks.bulk_rows import store

    corpus = Corpus.objects.get()
    count_corpus(corpus)
    corpus.save(update_fields=FIGURES)
    campaign = Campaign.objects.get(name=NAME)
    Campaign.objects.filter(pk=campaign.pk).update(slot_count=campaign.slots.count())
    counts: list[tuple[str, Any]] = [
        (
            "annotator",
            Judgment.objects.order_by()
            .values("annotator")
            .annotate(**{state: Count("pk", filter=Q(state=state)) for state in JudgmentState.values}),
        ),
        (
            "judgment__annotator",
            Revision.objects.order_by()
            .values("judgment__annotator")
            .annotate(answers_sent=Count("pk"), active_ms=Sum("active_ms"), answered_at=Max("submitted_at")),
        ),
    ]
    for name, rows in counts:
        for row in rows:
            Annotator.objects.filter(pk=row.pop(name)).update(**row)
    hours: list[tuple[int, str, int]] = []
    before: Counter[int] = Counter()
    first = Revision.objects.filter(number=1, judgment__state=JudgmentState.COMPLETE)
    for annotator, hour, number in (
        first.annotate(hour=TruncHour("submitted_at", tzinfo=UTC))
        .order_by("judgment__annotator", "hour")
        .values_list("judgment__annotator", "hour")
        .annotate(number=Count("pk"))
    ):
        hours.append((annotator, f"{hour:%Y-%m-%d %H:%M:%S}", before[annotator]))
        before[annotator] += number
    annotators, begins, counts = (list(column) for column in zip(*hours, strict=True))
    store(AnsweredHour, len(hours), annotator_id=annotators, hour=begins, filled_before=counts)


def _stamps(at: Any, *, seconds: int = 0) -> list[str]:
    """Times, as parts of the campaign's duration from 0 to 1, and so many seconds later, as texts."""
    begin = np.datetime64(BEGIN.replace(tzinfo=None), "us") + np.timedelta64(seconds, "s")
    moments = begin + (np.asarray(at) * DURATION.total_seconds() * 1_000_000).astype("timedelta64[us]")
    return [stamp.replace("T", " ") for stamp in np.datetime_as_string(moments).tolist()]


def main() -> None:
    """Make what is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.large_campaign",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--judgments", type=int, default=JUDGMENTS)
    parser.add_argument("--annotators", type=int, default=ANNOTATORS)
    parser.add_argument("--fill", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    size = Size(options.judgments, options.annotators)
    if not options.fill:
        print(database_url(options.database, size))
        return
    import django

    django.setup()
    from django.core.management import call_command

    from benchmarks.bulk_rows import bulk_writing

    call_command("migrate", verbosity=0)
    with bulk_writing():
        fill(size)


if __name__ == "__main__":
    main()
