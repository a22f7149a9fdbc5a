"""From the rankings in a file to judgments of outputs: pure, so that it serves with and without a database.

A file names systems; a judgment rates outputs. With the texts of a corpus an output is its text, and each
collapsed group is checked against them; without texts an output is known by its systems alone.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from annotate.digests import systems_digest, text_digest
from annotate.formats import MAX_SYSTEMS, FormatError, JudgmentsFile, RankedGroup, RankingRecord

Texts = Mapping[int, Mapping[str, str]]
"""Texts of a corpus: by the position of the sentence, then by the name of the system."""


@dataclass(frozen=True, slots=True)
class ResolvedRating:
    """A ranked output.

    Attributes:
        output: digest of the output.
        systems: sorted names of the systems it stands for.
        rank: 1 is best.
    """

    output: str
    systems: tuple[str, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class ResolvedJudgment:
    """A judgment that fits the tables and the snapshot.

    Attributes:
        annotator: name of the judge.
        sentence: position in the corpus, from 0; without texts the number in the file.
        item: number of the item: equal sentence and outputs, standing for equal systems, are one item.
        repetition: how many judgments of the item came before, by anyone.
        state: *complete*; *auto* with one output; *skipped* without any.
        ratings: in the order shown.
        active_ms: how long it took, where the file says so.
    """

    annotator: str
    sentence: int
    item: int
    repetition: int
    state: str
    ratings: tuple[ResolvedRating, ...]
    active_ms: int | None


def resolve(
    file: JudgmentsFile, path: Path, *, texts: Texts | None = None, first_sentence: int | None = None
) -> tuple[ResolvedJudgment, ...]:
    """The judgments of a file, in its order.

    Args:
        file: what a reader returned.
        path: the file, for messages.
        texts: the corpus that was judged, to check the groups against.
        first_sentence: what the file calls the first sentence of the corpus; its format's custom if None.

    Raises:
        FormatError: a sentence or system is not in the corpus, a group disagrees with the texts, or there are
            more than MAX_SYSTEMS systems.
    """
    first = file.first_sentence if first_sentence is None else first_sentence
    judged = {name for record in file.records for group in record.groups for name in group.systems}
    if len(judged) > MAX_SYSTEMS:
        raise FormatError(path, None, f"{len(judged)} systems, at most {MAX_SYSTEMS} are allowed")
    items: dict[tuple[int, frozenset[tuple[str, tuple[str, ...]]]], int] = {}
    repetitions: Counter[int] = Counter()
    judgments = []
    for record in file.records:
        if texts is None:
            sentence = record.sentence
            ratings = tuple(
                ResolvedRating(systems_digest(group.systems), group.systems, group.rank)
                for group in record.groups
            )
        else:
            sentence = record.sentence - first
            check = _Check(path, record, sentence, texts, judged)
            ratings = check.collapsed() if file.format == "wmt-csv" else check.agreeing()
        shown = frozenset((rating.output, rating.systems) for rating in ratings)
        item = items.setdefault((sentence, shown), len(items))
        judgments.append(
            ResolvedJudgment(
                annotator=record.annotator,
                sentence=sentence,
                item=item,
                repetition=repetitions[item],
                state=_state(ratings),
                ratings=ratings,
                active_ms=record.duration_ms,
            )
        )
        repetitions[item] += 1
    return tuple(judgments)


def _state(ratings: tuple[ResolvedRating, ...]) -> str:
    match len(ratings):
        case 0:
            return "skipped"
        case 1:
            return "auto"
        case _:
            return "complete"


_OTHER_COUNT = "; does the file count its sentences from another number (--first-sentence)?"


class _Check:
    """One record against the texts of its sentence."""

    def __init__(
        self, path: Path, record: RankingRecord, sentence: int, texts: Texts, judged: Iterable[str]
    ) -> None:
        self.path = path
        self.record = record
        self.judged = judged
        if sentence not in texts:
            raise self._fault(
                f"sentence {record.sentence} is not in the corpus of {len(texts)} sentences{_OTHER_COUNT}"
            )
        self.texts = texts[sentence]

    def agreeing(self) -> tuple[ResolvedRating, ...]:
        """Ratings of groups that were collapsed before judging: each lists all systems with its text."""
        ratings = tuple(self._rating(group) for group in self.record.groups)
        if len({rating.output for rating in ratings}) < len(ratings):
            raise self._fault(f"two of the ranked groups have the same text in the corpus{_OTHER_COUNT}")
        for rating in ratings:
            text = self.texts[rating.systems[0]]
            missing = sorted(
                name for name in self.judged if name not in rating.systems and self.texts.get(name) == text
            )
            if missing:
                raise self._fault(
                    f"the group {' '.join(rating.systems)} leaves out {' '.join(missing)}, "
                    f"whose text in the corpus is the same{_OTHER_COUNT}"
                )
        return ratings

    def collapsed(self) -> tuple[ResolvedRating, ...]:
        """Ratings of systems that were shown one by one, those with the same text taken together."""
        ratings: dict[str, ResolvedRating] = {}
        for group in self.record.groups:
            rating = self._rating(group)
            other = ratings.setdefault(rating.output, rating)
            if other.rank != rating.rank:
                raise self._fault(
                    f"{' '.join(other.systems)} and {' '.join(rating.systems)} have the same text in the "
                    f"corpus but different ranks; import the file without a corpus to keep both"
                )
            together = tuple(sorted({*other.systems, *rating.systems}))
            ratings[rating.output] = ResolvedRating(rating.output, together, rating.rank)
        return tuple(ratings.values())

    def _rating(self, group: RankedGroup) -> ResolvedRating:
        for name in group.systems:
            if name not in self.texts:
                known = ", ".join(sorted(self.texts)) or "none"
                raise self._fault(f"the corpus has no output of system {name!r} here; there are: {known}")
        text, *others = {self.texts[name] for name in group.systems}
        if others:
            raise self._fault(
                f"the systems of the group {' '.join(group.systems)} have different texts in the "
                f"corpus{_OTHER_COUNT}"
            )
        return ResolvedRating(text_digest(text), group.systems, group.rank)

    def _fault(self, cause: str) -> FormatError:
        return FormatError(self.path, self.record.line, cause)
