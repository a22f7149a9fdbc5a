"""A bundle: the inputs of an analysis and all that follows from them, as files of a zip.

Everything but the inputs and the parameters is computed from these, so that a bundle is verified by computing
it again.
"""

import hashlib
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from analysis.publishing.bundled_results import Results, texts_of
from analysis.publishing.inputs.bundled_inputs import files_present
from analysis.publishing.inputs.files_beside_judgments import JUDGMENTS
from analysis.publishing.inputs.judgments import digests
from analysis.publishing.inputs.scores import SCORE_DIGESTS, SCORES, score_digests
from analysis.publishing.stated import PARAMETERS
from core.progress import Progress, blocks
from figures.drawing import Format, render
from formats.writers.pieces import in_pieces

MANIFEST = "manifest.sha256"
FIGURE_FORMATS: tuple[Format, ...] = ("svg", "pdf")
EPOCH = (1980, 1, 1, 0, 0, 0)
"""Time of all files, so that equal contents give equal zips."""

DIGESTS: dict[str, tuple[str, Callable[[Path], Iterator[str]]]] = {
    "judgments.sha256": (JUDGMENTS, digests),
    SCORE_DIGESTS: (SCORES, score_digests),
}
"""Files of digests: each with the file whose digests they are, and the function that gives the lines."""


def digest_files(folder: Path) -> list[str]:
    """The files of digests of the inputs in this folder."""
    return [name for name, (digested, _) in DIGESTS.items() if (folder / digested).exists()]


def texts_of_bundle(folder: Path, results: Results) -> Iterator[tuple[str, Iterator[str]]]:
    """All computed texts of a bundle by name, in lines, apart from the manifest."""
    digest_names = digest_files(folder)
    for name in digest_names:
        digested, lines_of = DIGESTS[name]
        yield name, lines_of(folder / digested)
    inputs = files_present(folder, results.stated)
    yield from texts_of(results, [*inputs, *digest_names, PARAMETERS, MANIFEST])


def write_bundle(path: Path, folder: Path, results: Results, progress: Progress) -> None:
    """Write the zip, with the inputs in this folder, in bounded memory.

    Equal inputs give equal files, apart from PDF, which holds an identifier of its own.

    Raises:
        OSError: it cannot be written.
    """
    figures = results.figures
    progress.begin("Writing the zip", total=len(figures) + 1)
    with zipfile.ZipFile(path, "w") as archive:
        archived = _Archive(archive)
        archived.add(PARAMETERS, [results.stated.as_json().encode()])
        for name in files_present(folder, results.stated):
            archived.add(name, blocks(folder / name, progress))
        for name, lines in texts_of_bundle(folder, results):
            archived.add(name, _pieces(lines, progress))
        progress.advance(1)
        for name, figure in figures.items():
            for kind in FIGURE_FORMATS:
                drawn = render(
                    figure.chart,
                    theme="light",
                    format=kind,
                    signature=figure.signature,
                    caption=figure.description,
                )
                archived.add(f"figures/{name}.{kind}", [drawn])
            progress.advance(1)
        archived.add(MANIFEST, [archived.manifest.encode()])


class _Archive:
    """A zip with the digests of its files."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._digests: dict[str, str] = {}

    def add(self, name: str, pieces: Iterable[bytes]) -> None:
        entry = zipfile.ZipInfo(name, EPOCH)
        entry.compress_type = zipfile.ZIP_DEFLATED
        digest = hashlib.sha256()
        with self._archive.open(entry, "w", force_zip64=True) as file:
            for piece in pieces:
                digest.update(piece)
                file.write(piece)
        self._digests[name] = digest.hexdigest()

    @property
    def manifest(self) -> str:
        """The digest of each file, as `sha256sum` writes it."""
        return "".join(f"{digest}  {name}\n" for name, digest in self._digests.items())


def _pieces(lines: Iterable[str], progress: Progress) -> Iterator[bytes]:
    for piece in in_pieces(lines):
        yield piece
        progress.step()
