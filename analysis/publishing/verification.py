"""Whether a bundle holds what follows from its inputs."""

import csv
import tempfile
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path

from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.publishing.archive import Archive, DamagedFileError, opened
from analysis.publishing.bundle import DIGESTS, FIGURE_FORMATS, MANIFEST, digest_files, texts_of_bundle
from analysis.publishing.bundled_results import Results, results_of
from analysis.publishing.inputs.bundled_inputs import files_needed, files_possible, files_present
from analysis.publishing.inputs.files_beside_judgments import JUDGMENTS
from analysis.publishing.inputs.judgments import AnnotatorNameError
from analysis.publishing.inputs.scores import differing_scores
from analysis.publishing.stated import PARAMETERS, BundleError, Stated, is_form_of, stated_from_json
from analysis.results.shared_files import Figure
from assay import __version__
from core.parameters import ParameterError
from core.progress import Progress
from figures.drawing import render
from formats import FormatError
from formats.snapshot.snapshots import frame_of_file
from ranking import SnapshotError

MOST_NAMED = 20
"""Differences of one kind that are named; the others are counted."""

AS_WRITTEN = (
    "All files are as the manifest of the bundle states, judgments and scores too. What differs below can "
    "follow from the older rule; the version that made the bundle verifies it."
)


def differences(path: Path, progress: Progress) -> Iterator[str]:
    """Compute everything in a bundle again, and say in words what differs; nothing if nothing does.

    Raises:
        BundleError: the file is not a bundle, or too damaged to be computed again.
    """
    with opened(path) as archive, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            stated = _unpacked(archive, folder)
        except DamagedFileError as error:
            raise BundleError(str(error)) from error
        if stated.version != __version__:
            yield f"Made by Assay {stated.version}, computed again by {__version__}: signatures differ."
        if older := stated.of_older_rule:
            yield f"Made by an older rule of {' and '.join(older)}: signatures differ, and numbers may."
        damaged = list(_damaged(archive))
        yield from damaged
        is_changed = False
        for digests in digest_files(folder):
            for difference in _limited(_changed(archive, folder, digests)):
                is_changed = True
                yield difference
        if older and not damaged and not is_changed:
            yield AS_WRITTEN
        try:
            if is_changed:
                frame_of_file(folder / JUDGMENTS)  # Checks each row, which `results_of` does not.
            results = results_of(folder, stated, progress)
        except (FormatError, ParameterError, SnapshotError, AnnotatorNameError, BundleError) as error:
            yield f"The results cannot be computed again: {str(error).replace(f'{folder}/', '')}."
            return
        if isinstance(inputs := results.inputs, ScoredJudgments) and inputs.positions is not None:
            wrong = differing_scores(folder, inputs.metrics, inputs.systems, inputs.positions)
            yield from _limited(wrong)
        yield from _differing_texts(archive, folder, results)
        figures = results.figures
        yield from _differing_figures(archive, figures, progress)
        misplaced = _misplaced(archive, folder, results, figures)
        yield from (each for each in misplaced if each not in damaged)


def _unpacked(archive: Archive, folder: Path) -> Stated:
    """Read the parameters of the bundle, and write its inputs into the folder."""
    if PARAMETERS not in archive.names:
        raise BundleError(f"this is not a bundle, it lacks {PARAMETERS}")
    stated = stated_from_json(archive.text(PARAMETERS))
    if lacking := [name for name in files_needed(stated) if name not in archive.names]:
        raise BundleError(f"this is not a whole bundle, it lacks {', '.join(lacking)}")
    for name in files_possible(stated):
        if name in archive.names:
            archive.extract(name, folder)
    return stated


def _damaged(archive: Archive) -> Iterator[str]:
    """The files that are not as they were when the bundle was written."""
    if MANIFEST not in archive.names:
        yield f"{MANIFEST} is missing."
        return
    lines = archive.text(MANIFEST).splitlines()
    stated = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    for name in archive.names:
        if name not in stated and name != MANIFEST:
            yield f"{name} is not part of the bundle."
    for name, digest in stated.items():
        if name not in archive.names:
            yield f"{name} is missing."
            continue
        try:
            if archive.digest(name) != digest:
                yield f"{name} was changed after the bundle was written."
        except DamagedFileError as error:
            yield f"{error}."


def _misplaced(
    archive: Archive, folder: Path, results: Results, figures: Mapping[str, Figure]
) -> Iterator[str]:
    """The files that a bundle would lack or have, whatever its manifest says."""
    texts = {name for name, _ in texts_of_bundle(folder, results)}
    drawn = {f"figures/{name}.{kind}" for name in figures for kind in FIGURE_FORMATS}
    expected = {PARAMETERS, MANIFEST, *files_present(folder, results.stated), *texts, *drawn}
    for name in archive.names:
        if name not in expected:
            yield f"{name} is not part of the bundle."
    for name in sorted(expected.difference(archive.names)):
        yield f"{name} is missing."


def _changed(archive: Archive, folder: Path, digests: str) -> Iterator[str]:
    """The judgments or scores whose digests differ from the published ones."""
    if digests not in archive.names:
        return
    digested, lines_of = DIGESTS[digests]
    now: dict[str, str] = {}
    then: dict[str, str] = {}
    try:
        published = archive.text(digests).splitlines()
    except DamagedFileError:
        return
    try:
        for new, old in zip_longest(lines_of(folder / digested), published, fillvalue=""):
            if new.rstrip("\n") != old:
                for lines, line in ((now, new.rstrip("\n")), (then, old)):
                    name, _, digest = line.rpartition(" ")
                    lines[name] = digest
    except (UnicodeDecodeError, csv.Error) as error:
        yield f"{digested} is not a text: {error}."
        return
    changed = [name for name in then if name in now and now[name] != then[name]]
    removed, added = then.keys() - now.keys(), now.keys() - then.keys()
    for names, what in ((changed, "changed"), (sorted(removed), "removed"), (sorted(added), "added")):
        yield from (f"{_named(name)} was {what}." for name in names if name)


def _named(name: str) -> str:
    """A judgment or a score, as files of digests name it, in words."""
    if "\t" not in name:
        return f"Judgment {name}"
    metric, system, sentence = [*name.split("\t"), "", ""][:3]
    return f"The score of {system} by {metric}{f' in sentence {sentence}' if sentence else ''}"


def _limited(differences: Iterator[str]) -> Iterator[str]:
    """The first of these differences, then the number of the others."""
    further = 0
    for number, difference in enumerate(differences):
        if number < MOST_NAMED:
            yield difference
        else:
            further += 1
    if further:
        yield f"… and {further:,} more of this kind."


def _differing_texts(archive: Archive, folder: Path, results: Results) -> Iterator[str]:
    for name, lines in texts_of_bundle(folder, results):
        if name in DIGESTS or name not in archive.names:
            continue
        expected = "".join(lines)
        try:
            given = archive.text(name)
        except (DamagedFileError, BundleError):
            continue
        if given != expected:
            yield f"{name} differs: {_first_difference(given, expected)}."
    if not is_form_of(archive.text(PARAMETERS), results.stated):
        yield f"{PARAMETERS} is not written as a bundle writes it."


def _first_difference(given: str, expected: str) -> str:
    pairs = zip(given.splitlines(), expected.splitlines(), strict=False)
    for number, (one, other) in enumerate(pairs, start=1):
        if one != other:
            return f"line {number} should be {other!r}"
    return f"it has {len(given.splitlines())} lines instead of {len(expected.splitlines())}"


def _differing_figures(archive: Archive, figures: Mapping[str, Figure], progress: Progress) -> Iterator[str]:
    """Figures are drawn again as SVG; PDF holds an identifier of its own."""
    progress.begin("Drawing the figures", total=len(figures))
    for name, figure in figures.items():
        file = f"figures/{name}.svg"
        drawn = render(
            figure.chart,
            theme="light",
            format="svg",
            signature=figure.signature,
            caption=figure.description,
        )
        try:
            if file in archive.names and archive.text(file).encode() != drawn:
                yield f"{file} differs from the figure drawn again."
        except (DamagedFileError, BundleError):
            continue
        finally:
            progress.advance(1)
