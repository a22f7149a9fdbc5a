"""Stores published results in short transactions; the last one makes them visible."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from analysis.models import Publication, PublicationFigure, PublicationPiece, PublicationPreview
from annotate.database.staging import delete_in_pieces, short_transaction
from jobs.refusals import RefusedError
from jobs.running import RunningJob

PIECE = 250_000
"""Bytes of the zip that are stored and sent at once. PostgreSQL's client needs several times their memory."""

DELETED = "The campaign was deleted, and its published results with it."

Drawn = dict[tuple[str, str, str], str]
"""Figures as SVG, by name, theme and layout."""


def store(
    publication: Publication,
    path: Path,
    drawn: Drawn,
    content: dict[str, object],
    preview: bytes,
    job: RunningJob,
) -> None:
    """Store the zip piece by piece, then pictures and the content of the page, which publishes them.

    Pieces that a killed worker has left are replaced: the zip of another attempt is never the same.

    Raises:
        RefusedError: the publication was deleted.
    """
    size = path.stat().st_size
    pieces = -(-size // PIECE)
    job.begin("Storing", total=pieces)
    for number, piece in enumerate(_pieces(path)):
        with _locked(publication, job):
            PublicationPiece.objects.bulk_create(
                [PublicationPiece(publication=publication, number=number, content=piece)],
                update_conflicts=True,
                unique_fields=["publication", "number"],
                update_fields=["content"],
            )
        job.advance(1)
    with _locked(publication, job):
        publication.pieces.filter(number__gte=pieces).delete()
        PublicationFigure.objects.bulk_create(
            PublicationFigure(publication=publication, name=name, theme=theme, layout=layout, svg=svg)
            for (name, theme, layout), svg in drawn.items()
        )
        PublicationPreview.objects.update_or_create(publication=publication, defaults={"png": preview})
        Publication.objects.filter(pk=publication.pk).update(content={**content, "bytes": size})


def zip_of(publication: Publication) -> Iterator[bytes]:
    """The zip, in pieces."""
    numbers = publication.pieces.values_list("number", flat=True)
    for number in list(numbers):
        yield bytes(publication.pieces.get(number=number).content)


def discard_unless_stored(publication: Publication) -> None:
    """Delete the pieces of a result that was never stored as a whole."""
    delete_in_pieces(publication.pieces.filter(publication__content__isnull=True))


@contextmanager
def _locked(publication: Publication, job: RunningJob) -> Iterator[None]:
    """A short transaction, in which no other worker stores and nobody deletes the publication."""
    with short_transaction():
        job.renew()
        if not Publication.objects.select_for_update(no_key=True).filter(pk=publication.pk).exists():
            raise RefusedError(DELETED)
        yield


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece
