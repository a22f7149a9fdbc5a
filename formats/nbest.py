"""Lists of the k best outputs of a system, in the format of Moses and its kin.

    0 ||| He walks home . ||| -1.3
    0 ||| He walked home . ||| feature= -2 ||| -1.9
    1 ||| I have dogs . ||| -0.7

Each line has the number of the sentence, counted from 0, a candidate, fields that are skipped, and the
candidate's score. Candidates of a sentence stand together, in any order; higher scores are better.
"""

from collections.abc import Sequence
from pathlib import Path

from formats.text.checks import finite_number, sentence_number
from formats.text.lines import read_lines

SEPARATOR = "|||"
FEWEST_FIELDS = 3


def read_nbest(path: Path, sentences: int) -> tuple[tuple[str, ...], ...]:
    """The candidates of each sentence, from the best to the worst; equal scores keep the order of the file.

    Args:
        path: the file.
        sentences: how many sentences there are; those that the file does not name have no candidates.

    Raises:
        FormatError: fewer than three fields; a number that is no sentence, or comes again after another; a
            score that is no finite number; and all faults of `read_lines`.
    """
    lists: dict[int, list[tuple[float, str]]] = {}
    last: int | None = None
    for place, line in read_lines(path):
        fields = [field.strip() for field in line.split(SEPARATOR)]
        if len(fields) < FEWEST_FIELDS:
            raise place.fault(f"{len(fields)} fields, but number, text and score are needed")
        number = sentence_number(fields[0], place, "the sentence")
        if number >= sentences:
            raise place.fault(f"there is no sentence {number}; sentences are 0 to {sentences - 1}")
        if number != last and number in lists:
            raise place.fault(f"sentence {number} comes again after sentence {last}")
        last = number
        lists.setdefault(number, []).append((finite_number(fields[-1], place, "the score"), fields[1]))
    return tuple(_best_first(lists.get(number, [])) for number in range(sentences))


def by_rank(lists: Sequence[Sequence[str]]) -> dict[str, tuple[str | None, ...]]:
    """The candidates as systems: "001" has the best one of each sentence, None where there is none."""
    longest = max(map(len, lists), default=0)
    return {
        f"{rank:03}": tuple(each[rank - 1] if rank <= len(each) else None for each in lists)
        for rank in range(1, longest + 1)
    }


def _best_first(candidates: Sequence[tuple[float, str]]) -> tuple[str, ...]:
    return tuple(text for _, text in sorted(candidates, key=lambda candidate: -candidate[0]))
