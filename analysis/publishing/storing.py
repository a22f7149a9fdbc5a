"""Stores zips and published results in short transactions; the last one makes them visible."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from analysis.models import (
    DataRelease,
    DataReleasePiece,
    Publication,
    PublicationFigure,
    PublicationPiece,
    PublicationPreview,
)
from annotate.database.staging import delete_in_pieces, short_transaction
from jobs.refusals import RefusedError
from jobs.running import RunningJob

PIECE = 250_000
"""Bytes of the zip that are stored and sent at once. PostgreSQL's client needs several times their memory."""

DELETED = "It was deleted meanwhile, alone or with its campaign."

Zipped = Publication | DataRelease
"""A row with a zip in pieces."""

Drawn = dict[tuple[str, str, str], str]
"""Figures as SVG, by name, theme and layout."""


class DrawnMark(NamedTuple):
    """A mark of `core.marks`, as a published table stores it; in earlier ones it ends sooner."""

    value: float
    low: float | None
    high: float | None
    is_hollow: bool
    is_bar: bool = False
    beside: tuple[float, float | None, float | None] | None = None


def store(
    publication: Publication,
    path: Path,
    drawn: Drawn,
    content: dict[str, object],
    preview: bytes,
    job: RunningJob,
) -> None:
    """Store the zip piece by piece, then pictures and the content of the page, which publishes them.

    Raises:
        RefusedError: the publication was deleted.
    """
    store_zip(publication, path, job)
    size = path.stat().st_size
    with locked(publication, job):
        PublicationFigure.objects.bulk_create(
            PublicationFigure(publication=publication, name=name, theme=theme, layout=layout, svg=svg)
            for (name, theme, layout), svg in drawn.items()
        )
        PublicationPreview.objects.update_or_create(publication=publication, defaults={"png": preview})
        Publication.objects.filter(pk=publication.pk).update(content={**content, "bytes": size})


def store_zip(row: Zipped, path: Path, job: RunningJob) -> None:
    """Store the zip piece by piece.

    Pieces that a killed worker has left are replaced: the zip of another attempt may be another one.

    Raises:
        RefusedError: the row was deleted.
    """
    pieces = -(-path.stat().st_size // PIECE)
    job.begin("Storing", total=pieces)
    for number, piece in enumerate(_pieces(path)):
        with locked(row, job):
            _store_piece(row, number, piece)
        job.advance(1)
    with locked(row, job):
        row.pieces.filter(number__gte=pieces).delete()


def _store_piece(row: Zipped, number: int, content: bytes) -> None:
    if isinstance(row, DataRelease):
        DataReleasePiece.objects.bulk_create(
            [DataReleasePiece(release=row, number=number, content=content)],
            update_conflicts=True,
            unique_fields=["release", "number"],
            update_fields=["content"],
        )
    else:
        PublicationPiece.objects.bulk_create(
            [PublicationPiece(publication=row, number=number, content=content)],
            update_conflicts=True,
            unique_fields=["publication", "number"],
            update_fields=["content"],
        )


def zip_of(row: Zipped) -> Iterator[bytes]:
    """The zip, in pieces."""
    numbers = row.pieces.values_list("number", flat=True)
    for number in list(numbers):
        yield bytes(row.pieces.get(number=number).content)


def discard_unless_stored(publication: Publication) -> None:
    """Delete the pieces of a result that was never stored as a whole."""
    delete_in_pieces(publication.pieces.filter(publication__content__isnull=True))


@contextmanager
def locked(row: Zipped, job: RunningJob) -> Iterator[None]:
    """A short transaction, in which no other worker stores and nobody deletes the row.

    Raises:
        RefusedError: the row was deleted.
    """
    with short_transaction():
        job.renew()
        if not type(row).objects.select_for_update(no_key=True).filter(pk=row.pk).exists():
            raise RefusedError(DELETED)
        yield


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece
