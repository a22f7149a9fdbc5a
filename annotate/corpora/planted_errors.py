"""Where the errors of controls stand in the texts of the controls."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from annotate.models import Corpus, InsertedError
from ranking.annotators.planted_errors import PlantedError


def planted_errors(corpus: Corpus) -> dict[tuple[int, str], list[PlantedError]]:
    """The errors of each control, by the position of its sentence and the digest of its output."""
    errors = InsertedError.objects.filter(production__sentence__corpus=corpus)
    placed = {}
    of_controls = errors.select_related("production__sentence", "production__output")
    for production, of_control in groupby(of_controls, key=attrgetter("production")):
        place = production.sentence.position, production.output.digest
        source, text = production.sentence.text or "", production.output.text or ""
        placed[place] = list(_in_control(source, text, list(of_control)))
    return placed


def _in_control(source: str, text: str, errors: Sequence[InsertedError]) -> Iterator[PlantedError]:
    """Errors in the order of the source, with their places in the text that they make of it.

    Where nothing is left to be marked, the place is that of the characters beside it.
    """
    shift = 0
    for error in errors:
        replaced, start = source[error.start : error.end], error.start + shift
        takes_away = len(error.replacement.split()) < len(replaced.split())
        start, end = min(start, len(text)), min(start + len(error.replacement), len(text))
        beside = int(start == end)
        yield PlantedError(max(0, start - beside), end + beside, takes_away)
        shift += len(error.replacement) - len(replaced)
