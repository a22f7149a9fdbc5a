"""Judgments as Hypothesis makes them up: whatever the tables can hold."""

from datetime import UTC

from hypothesis import strategies as st

from formats import AnswerRecord, JudgmentRecord, RatingRecord
from formats.details import MAX_NUMBER
from formats.digests import text_digest
from formats.exported import MAX_ACTIVE_MS
from formats.writers import Heading
from tests.annotate.protocols import EACH

HEADING = Heading("campaign", "en")
SYSTEMS = ("+A", "-B", "C.1", "D", "E", "F", "G")

storable = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
beginnings = st.sampled_from(["=", "+", "-", "@", "\t", "\r", "'", "\r\n", ""])
texts = st.text(storable, max_size=20) | st.builds(str.__add__, beginnings, st.text(storable, max_size=5))
names = texts.filter(lambda text: text.strip() != "")
times = st.none() | st.datetimes(timezones=st.just(UTC))
values = st.none() | st.booleans() | st.integers(-MAX_NUMBER, MAX_NUMBER) | texts
details = st.dictionaries(
    texts,
    values | st.lists(values, max_size=2) | st.dictionaries(texts, values, max_size=2),
    min_size=1,
    max_size=2,
)
milliseconds = st.none() | st.integers(0, MAX_ACTIVE_MS)


@st.composite
def items(draw: st.DrawFn, most_outputs: int = 5) -> tuple[RatingRecord, ...]:
    """The outputs of an item, with the systems collapsed as it happens."""
    systems = draw(st.lists(st.sampled_from(SYSTEMS), unique=True, max_size=len(SYSTEMS)))
    groups: dict[int, list[str]] = {}
    for system in systems:
        groups.setdefault(draw(st.integers(1, most_outputs)), []).append(system)
    return tuple(
        RatingRecord(text_digest(f"output {number}"), tuple(sorted(names)))
        for number, names in groups.items()
    )


@st.composite
def judgments(draw: st.DrawFn) -> tuple[JudgmentRecord, ...]:
    """Judgments of a few items, in any state and by any protocol, with histories."""
    protocol = draw(st.sampled_from([*EACH, "thumbs"]))
    shown = draw(st.lists(items(), min_size=1, max_size=3))
    marks_edits = draw(st.none() | st.booleans())
    made = []
    for number in range(draw(st.integers(1, 5))):
        item = draw(st.integers(0, len(shown) - 1))
        revisions = draw(st.lists(st.integers(1, 2**15 - 1), unique=True, min_size=1, max_size=3))
        made.append(
            JudgmentRecord(
                key=f"{number}",
                protocol=protocol,
                annotator=draw(names),
                sentence=item * 7,
                item=item,
                repetition=number,
                state=draw(st.sampled_from(["complete", "skipped", "auto", "surplus"])),
                answers=tuple(draw(answers(shown[item], revision)) for revision in sorted(revisions)),
                marks_edits=marks_edits,
            )
        )
    return tuple(made)


@st.composite
def answers(draw: st.DrawFn, shown: tuple[RatingRecord, ...], number: int) -> AnswerRecord:
    """An answer with ratings of all outputs in some order, or with none, and with what else there may be."""
    order = draw(st.permutations(shown)) if draw(st.booleans()) else []
    text = draw(st.none() | texts)
    return AnswerRecord(
        ratings=tuple(
            RatingRecord(
                output.output,
                output.systems,
                draw(st.none() | st.integers(1, 2**15 - 1)),
                draw(st.none() | st.integers(0, 100)),
                draw(st.none() | st.booleans()),
                draw(st.none() | st.booleans()),
            )
            for output in order
        ),
        number=number,
        text=text,
        note=draw(texts),
        started_at=draw(times),
        submitted_at=draw(times),
        active_ms=draw(milliseconds),
        further_texts=() if text is None else tuple(draw(st.lists(texts, max_size=2))),
        verdict=draw(st.none() | names),
        details=draw(st.none() | details),
    )


@st.composite
def rankings(draw: st.DrawFn) -> tuple[JudgmentRecord, ...]:
    """Rankings as a judge can give them on a screen: ranks from 1 to the number of outputs."""
    made = []
    for number in range(draw(st.integers(1, 4))):
        shown = draw(items(most_outputs=7))
        ranked = tuple(
            RatingRecord(output.output, output.systems, draw(st.integers(1, len(shown)))) for output in shown
        )
        state = {0: "skipped", 1: "auto"}.get(len(ranked), "complete")
        answer = AnswerRecord(ranked, active_ms=draw(st.none() | st.integers(0, 10**11)))
        annotator = draw(st.sampled_from(["=anna", 'b,e"n', "<&>"]))
        made.append(
            JudgmentRecord(str(number), "relative-ranking", annotator, number, number, 0, state, (answer,))
        )
    return tuple(made)
