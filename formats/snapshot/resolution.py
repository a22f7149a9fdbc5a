"""From the rankings in a file to judgments of outputs: pure, so that it serves with and without a database.

A file names systems; a judgment rates outputs. With the texts of a corpus an output is its text, and each
collapsed group is checked against them; without texts an output is known by its systems alone.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from core.progress import NoProgress, Progress, over_many
from formats import (
    MAX_SYSTEMS,
    AnswerRecord,
    FormatError,
    JudgmentRecord,
    JudgmentsFile,
    RankedGroup,
    RankingRecord,
    RatingRecord,
)
from formats.digests import systems_digest, text_digest
from formats.machines import kind_of
from formats.snapshot.vocabulary import JudgmentState, ProtocolName

Texts = Mapping[int, Mapping[str, str]]
"""Texts of a corpus: by the position of the sentence, then by the name of the system."""


def resolve(
    file: JudgmentsFile,
    path: Path,
    *,
    texts: Texts | None = None,
    first_sentence: int | None = None,
    progress: Progress | None = None,
) -> tuple[JudgmentRecord, ...]:
    """The judgments of a file, in its order.

    Rankings with equal sentence, outputs and systems are one item, and a ranking is *auto*
    with one output and *skipped* without any. Files of whole judgments say these things themselves.

    Args:
        file: what a reader returned.
        path: the file, for messages.
        texts: the corpus that was judged, to check the outputs against.
        first_sentence: what the file calls the first sentence of the corpus; its format's custom if None.
        progress: is told how far the comparison of whole judgments with the texts is.

    Raises:
        FormatError: a sentence or system is not in the corpus, an output disagrees with the texts, or there
            are more than MAX_SYSTEMS systems.
    """
    first = file.first_sentence if first_sentence is None else first_sentence
    if file.judgments:
        by_system = file.format == "essay-ratings"
        checks = progress or NoProgress()
        return _checked(file.judgments, path, texts, first, checks, by_system=by_system)
    judged = {name for record in file.records for group in record.groups for name in group.systems}
    if len(judged) > MAX_SYSTEMS:
        raise FormatError(path, None, f"{len(judged)} systems, at most {MAX_SYSTEMS} are allowed")
    items: dict[tuple[int, frozenset[tuple[str, tuple[str, ...]]]], int] = {}
    repetitions: Counter[tuple[int, str]] = Counter()
    judgments = []
    for number, record in enumerate(file.records):
        if texts is None:
            sentence = record.sentence
            ratings = tuple(
                RatingRecord(systems_digest(group.systems), group.systems, group.rank)
                for group in record.groups
            )
        else:
            check = _Check(path, record, texts, first)
            sentence = check.sentence
            ratings = (
                check.collapsed(record.groups)
                if file.format == "wmt-csv"
                else check.agreeing(record.groups, judged)
            )
        shown = frozenset((rating.output, rating.systems) for rating in ratings)
        item = items.setdefault((sentence, shown), len(items))
        # Those of a machine are counted apart: they are none of the judgments that people were asked for.
        counted_as = item, "" if record.machine is None else record.annotator
        judgments.append(
            JudgmentRecord(
                key=str(number),
                protocol=ProtocolName.RELATIVE_RANKING.value,  # of the published rankings
                annotator=record.annotator,
                sentence=sentence,
                item=item,
                repetition=repetitions[counted_as],
                state=_state(ratings),
                answers=(AnswerRecord(ratings, active_ms=record.duration_ms),),
                annotator_kind=kind_of(record.machine),
                machine=record.machine,
                line=record.line,
            )
        )
        repetitions[counted_as] += 1
    return tuple(judgments)


def fitting_first_sentence(
    file: JudgmentsFile, path: Path, *, texts: Texts, first_sentence: int | None
) -> int | None:
    """0 or 1, where a file that does not fit the texts by `first_sentence` would fit them by that instead."""
    tried = file.first_sentence if first_sentence is None else first_sentence
    for other in {0, 1} - {tried}:
        with suppress(FormatError):
            resolve(file, path, texts=texts, first_sentence=other)
            return other
    return None


def _checked(
    judgments: tuple[JudgmentRecord, ...],
    path: Path,
    texts: Texts | None,
    first: int,
    progress: Progress,
    *,
    by_system: bool,
) -> tuple[JudgmentRecord, ...]:
    """Whole judgments, with the texts of the corpus if there are any.

    If ratings are `by_system`, those of systems with the same text become one, as outputs of a corpus are
    collapsed. Otherwise the outputs must be the same as in the corpus.
    """
    if texts is None:
        return judgments
    checked = []
    step = "Comparing the judgments with the corpus"
    for judgment in over_many(judgments, step, progress, total=len(judgments)):
        check = _Check(path, judgment, texts, first)
        if by_system:
            answers = tuple(
                replace(answer, ratings=check.collapsed_ratings(answer.ratings))
                for answer in judgment.answers
            )
        else:
            answers = judgment.answers
            for answer in answers:
                check.same_outputs(answer.ratings)
        checked.append(replace(judgment, sentence=check.sentence, answers=answers))
    return tuple(checked)


def _state(ratings: tuple[RatingRecord, ...]) -> str:
    match len(ratings):
        case 0:
            return JudgmentState.SKIPPED.value
        case 1:
            return JudgmentState.AUTO.value
        case _:
            return JudgmentState.COMPLETE.value


_OTHER_COUNT = "; does the file count its sentences from another number?"


class _Check:
    """One record against the texts of its sentence."""

    def __init__(self, path: Path, record: RankingRecord | JudgmentRecord, texts: Texts, first: int) -> None:
        self.path = path
        self.line = record.line
        self.sentence = record.sentence - first
        if self.sentence not in texts:
            raise self._fault(
                f"sentence {record.sentence} is not in the corpus of {len(texts)} sentences{_OTHER_COUNT}"
            )
        self.texts = texts[self.sentence]

    def agreeing(self, groups: Iterable[RankedGroup], judged: Iterable[str]) -> tuple[RatingRecord, ...]:
        """Ratings of groups that were collapsed before judging: each lists all systems with its text."""
        ratings = tuple(self._rating(group) for group in groups)
        if len({rating.output for rating in ratings}) < len(ratings):
            raise self._fault(f"two of the ranked groups have the same text in the corpus{_OTHER_COUNT}")
        for rating in ratings:
            text = self.texts[rating.systems[0]]
            missing = sorted(
                name for name in judged if name not in rating.systems and self.texts.get(name) == text
            )
            if missing:
                raise self._fault(
                    f"the group {' '.join(rating.systems)} leaves out {' '.join(missing)}, "
                    f"whose text in the corpus is the same{_OTHER_COUNT}"
                )
        return ratings

    def collapsed(self, groups: Iterable[RankedGroup]) -> tuple[RatingRecord, ...]:
        """Ratings of systems that were shown one by one, those with the same text taken together."""
        return self._together(map(self._rating, groups), "ranks")

    def collapsed_ratings(self, ratings: Iterable[RatingRecord]) -> tuple[RatingRecord, ...]:
        """Ratings that name their systems only, those of the same text taken together."""
        with_texts = (replace(rating, output=text_digest(self._text(rating.systems))) for rating in ratings)
        return self._together(with_texts, "points")

    def _together(self, ratings: Iterable[RatingRecord], what: str) -> tuple[RatingRecord, ...]:
        """The ratings, those of one output as one; FormatError if these differ in `what` they say."""
        of_outputs: dict[str, RatingRecord] = {}
        for rating in ratings:
            other = of_outputs.setdefault(rating.output, rating)
            if replace(other, systems=()) != replace(rating, systems=()):
                raise self._fault(
                    f"{' '.join(other.systems)} and {' '.join(rating.systems)} have the same text in the "
                    f"corpus but different {what}; import the file without a corpus to keep both"
                )
            together = tuple(sorted({*other.systems, *rating.systems}))
            of_outputs[rating.output] = replace(rating, systems=together)
        return tuple(of_outputs.values())

    def same_outputs(self, ratings: Iterable[RatingRecord]) -> None:
        """Check that each rated output is what its systems have written."""
        for rating in ratings:
            if text_digest(self._text(rating.systems)) != rating.output:
                raise self._fault(
                    f"the text of {' '.join(rating.systems)} in the corpus is not the text that was "
                    f"judged{_OTHER_COUNT}"
                )

    def _rating(self, group: RankedGroup) -> RatingRecord:
        return RatingRecord(text_digest(self._text(group.systems)), group.systems, group.rank)

    def _text(self, systems: tuple[str, ...]) -> str:
        """The text that the systems share."""
        for name in systems:
            if name not in self.texts:
                present = ", ".join(sorted(self.texts)) or "none"
                raise self._fault(f"the corpus has no output of system {name!r} here; there are: {present}")
        text, *others = {self.texts[name] for name in systems}
        if others:
            raise self._fault(
                f"the systems of the group {' '.join(systems)} have different texts in the "
                f"corpus{_OTHER_COUNT}"
            )
        return text

    def _fault(self, cause: str) -> FormatError:
        return FormatError(self.path, self.line, cause)
