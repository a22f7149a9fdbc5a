"""From what annotators wrote about sentences to corrections of sentences.

Napoles, Nadejde and Tetreault 2019, "Enabling Robust Grammatical Error Correction in New Domains" (GMEG),
section 3.1: sentences that anyone marks for merging are joined, and those that everyone marks as a fragment
or not annotatable are left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from formats.snapshot.vocabulary import CorrectionVerdict

UNUSABLE = frozenset({CorrectionVerdict.FRAGMENT, CorrectionVerdict.NOT_ANNOTATABLE})


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """One person's answer to one sentence.

    Attributes:
        sentence: place of the sentence, counted from 0.
        annotator: who answered; the same in all answers of a person.
        texts: the versions written, in order.
        verdict: one of `CorrectionVerdict`, or None.
    """

    sentence: int
    annotator: str
    texts: tuple[str, ...]
    verdict: str | None = None


@dataclass(frozen=True, slots=True)
class CorrectedSentence:
    """A sentence, or several that are joined, with its corrections.

    Attributes:
        places: the sentences that it consists of, in order; one unless some were joined.
        source: its text; texts of joined sentences are separated by a blank.
        corrections: annotator and text of each correction, in order of annotators and their versions.
        verdicts: how often each verdict was given, over all answers.
    """

    places: tuple[int, ...]
    source: str
    corrections: tuple[tuple[str, str], ...]
    verdicts: Mapping[str, int]

    @property
    def is_joined(self) -> bool:
        """Whether it consists of several sentences."""
        return len(self.places) > 1


@dataclass(frozen=True, slots=True)
class LeftOutSentence:
    """A sentence that nobody could correct.

    Attributes:
        place: of the sentence, counted from 0.
        source: its text.
        verdicts: how often each verdict was given.
    """

    place: int
    source: str
    verdicts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class DistinctCorrection:
    """A correction with everyone who gave it.

    Attributes:
        text: the corrected sentence.
        annotators: sorted; a person counts once.
    """

    text: str
    annotators: tuple[str, ...]

    @property
    def frequency(self) -> int:
        """Number of people who gave it."""
        return len(self.annotators)


def corrected_sentences(
    sources: Sequence[str], answers: Iterable[WrittenAnswer], *, documents: Sequence[str] | None = None
) -> tuple[tuple[CorrectedSentence, ...], tuple[LeftOutSentence, ...]]:
    """The answered sentences with their corrections, in order, and those that nobody could correct.

    A sentence that anyone marks for merging is joined with the next one of its document, whether that was
    answered or not. A person's correction of a joined sentence is the corrections of its parts; a person who
    did not correct all parts gives none. White space within texts is one blank.

    Args:
        sources: the n sentences in order.
        answers: the answers that count; of several by one person to a sentence, the first.
        documents: shape (n,), the document of each sentence; None for one document.

    Raises:
        IndexError: an answer is about a sentence beyond the last.
    """
    by_sentence: dict[int, dict[str, WrittenAnswer]] = {}
    for answer in answers:
        by_sentence.setdefault(answer.sentence, {}).setdefault(answer.annotator, answer)
    joined = _joined(by_sentence, [""] * len(sources) if documents is None else documents)
    corrected: list[CorrectedSentence] = []
    left_out: list[LeftOutSentence] = []
    for places in joined:
        given = [by_sentence.get(place, {}) for place in places]
        verdicts = _counted(answer.verdict for part in given for answer in part.values())
        source = " ".join(plain(sources[place]) for place in places)
        if all(answer.verdict in UNUSABLE for part in given for answer in part.values()):
            left_out += [
                LeftOutSentence(
                    place, plain(sources[place]), _counted(answer.verdict for answer in part.values())
                )
                for place, part in zip(places, given, strict=True)
                if part
            ]
            continue
        corrections = tuple(_corrections([plain(sources[place]) for place in places], given))
        corrected.append(CorrectedSentence(places, source, corrections, verdicts))
    return tuple(corrected), tuple(left_out)


def distinct_corrections(sentence: CorrectedSentence) -> tuple[DistinctCorrection, ...]:
    """Identical corrections as one, the most frequent first; equally frequent ones by their text."""
    people: dict[str, dict[str, None]] = {}
    for annotator, text in sentence.corrections:
        people.setdefault(text, {})[annotator] = None
    distinct = [DistinctCorrection(text, tuple(sorted(names))) for text, names in people.items()]
    return tuple(sorted(distinct, key=lambda each: (-each.frequency, each.text)))


def plain(text: str) -> str:
    """The text with one blank for any white space."""
    return " ".join(text.split())


def _joined(
    answers: Mapping[int, Mapping[str, WrittenAnswer]], documents: Sequence[str]
) -> list[tuple[int, ...]]:
    """The places of each sentence after joining, for all that have answers."""
    groups: list[tuple[int, ...]] = []
    for place in sorted(answers):
        if groups and place in groups[-1]:
            continue
        group = [place]
        while (
            any(
                answer.verdict == CorrectionVerdict.MERGE_WITH_NEXT
                for answer in answers.get(group[-1], {}).values()
            )
            and group[-1] + 1 < len(documents)
            and documents[group[-1] + 1] == documents[group[-1]]
        ):
            group.append(group[-1] + 1)
        groups.append(tuple(group))
    return groups


def _corrections(
    sources: Sequence[str], given: Sequence[Mapping[str, WrittenAnswer]]
) -> Iterable[tuple[str, str]]:
    for annotator in sorted({name for part in given for name in part}):
        parts = [
            _texts(source, part[annotator]) if annotator in part else ()
            for source, part in zip(sources, given, strict=True)
        ]
        if not all(parts):
            continue
        for version in range(max(map(len, parts))):
            yield annotator, " ".join(part[version if version < len(part) else 0] for part in parts)


def _texts(source: str, answer: WrittenAnswer) -> tuple[str, ...]:
    """The corrections that an answer gives; none if it only says something about the sentence."""
    if answer.verdict == CorrectionVerdict.NO_CORRECTION_NEEDED:
        return (source,)
    if answer.verdict in UNUSABLE:
        return ()
    return tuple(dict.fromkeys(map(plain, answer.texts)))


def _counted(verdicts: Iterable[str | None]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for verdict in verdicts:
        if verdict is not None:
            counts[verdict] = counts.get(verdict, 0) + 1
    return dict(sorted(counts.items()))
