"""Writes a data release as a folder and a zip: one function for commands, pages and the API.

Equal inputs, descriptions and secret keys give equal bytes: rows are sorted, no file holds the present time,
and the zip has fixed times.
"""

import fcntl
import os
import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import NoneType
from typing import TypeVar

from analysis.releases import wording
from analysis.releases.about import About
from analysis.releases.card import readme
from analysis.releases.checks import Checked, ReleaseRefusedError
from analysis.releases.citation import citation_cff, zenodo_json
from analysis.releases.croissant import croissant_json
from analysis.releases.datasheet import datasheet
from analysis.releases.designs import design_text, guidelines_text
from analysis.releases.facts import Compared, Facts, compared, facts_of, facts_together
from analysis.releases.judgment_rows import SYSTEMS_PLACE, Counted, Released, labels_of
from analysis.releases.layouts.writing import write_layouts
from analysis.releases.options import NO_OPTIONS, Options
from analysis.releases.pseudonyms import pseudonyms_of
from analysis.releases.score_rows import output_score_rows, released_sets, system_score_rows
from analysis.releases.steps import Steps
from analysis.releases.tables import (
    CONTROL_JUDGMENTS,
    CONTROL_OUTPUTS,
    JUDGMENTS,
    MACHINE_JUDGMENTS,
    MANIFEST,
    OUTPUT_SCORES,
    OUTPUTS,
    PRACTICE,
    PRACTICE_OF_SEVERAL,
    REFERENCES,
    SENTENCES,
    SYSTEM_SCORES,
    SYSTEMS,
    TABLES,
    Table,
    TableFiles,
    WrittenTable,
    file_digest,
    written_file,
    written_table,
)
from analysis.releases.text_rows import (
    output_rows,
    practice_rows,
    reference_rows,
    sentence_row,
    sentences_of,
    system_rows,
)
from analysis.releases.version_changes import (
    CHANGES,
    NUMBERS,
    Previous,
    changes_md,
    changes_since,
    numbers_json,
)
from annotate.database.audit_log import record
from annotate.design.protocols import PROTOCOLS
from annotate.models import AuditAction, Campaign, SystemRole, User
from core.progress import Progress, blocks
from formats.machines import AnnotatorKind

EPOCH = (1980, 1, 1, 0, 0, 0)
"""Time of all files in the zip."""

T = TypeVar("T")

Rows = dict[str, int]
"""Number of rows by table."""


@dataclass(frozen=True, slots=True)
class Release:
    """A release that has been written.

    Attributes:
        folder: its folder.
        zip: the zip of the folder.
        facts: what it holds.
        changes: what has changed since the release before, in Markdown; empty for the first one.
    """

    folder: Path
    zip: Path
    facts: Facts
    changes: str


def write_release(
    campaigns: Sequence[Campaign],
    folder: Path,
    about: About,
    check: Checked,
    *,
    previous: Previous | None,
    options: Options = NO_OPTIONS,
    by: User | None,
    progress: Progress,
) -> Release:
    """Write the release of campaigns to a new folder and a zip beside it.

    Args:
        campaigns: one campaign, closed or imported, or several from `checks.released_together`.
        folder: the folder to make; it appears once all files are written.
        about: what the authors state.
        check: the result of `checks.checked`.
        previous: the release before, or None.
        options: what else is released.
        by: the admin; None for a command.
        progress: gets reports.

    Raises:
        ReleaseRefusedError: a check failed, or the folder is there.
        OSError: it cannot be written.
    """
    check.require()
    if not folder.name:
        raise ReleaseRefusedError(f"{folder} is there already: name a new folder.")
    if not folder.absolute().parent.is_dir():
        raise ReleaseRefusedError(f"There is no folder {folder.absolute().parent}.")
    with _part_of(folder) as part:
        archive = folder.with_name(f"{folder.name}.zip")
        for path in (folder, archive):
            if path.exists():
                raise ReleaseRefusedError(f"{path} is there already: name a new folder.")
        steps = Steps(part, progress)
        written = write_in_steps(campaigns, part, about, steps, previous, options, progress)
        record_release(campaigns, about, check, options, by=by)
        written.zip.replace(archive)
        written.folder.replace(folder)
    return replace(written, folder=folder, zip=archive)


def write_in_steps(
    campaigns: Sequence[Campaign],
    part: Path,
    about: About,
    steps: Steps,
    previous: Previous | None,
    options: Options,
    progress: Progress,
) -> Release:
    """Write the release of campaigns that were checked to a folder of its own, by steps in this folder."""
    folder, archive = part / "files", part / "files.zip"
    folder.mkdir(exist_ok=True)
    tables, facts = _write_tables(folder, campaigns, about, steps, progress)
    steps.done("layouts", NoneType, lambda: write_layouts(folder, options.layouts, facts, progress))

    def describe() -> str:
        changes = changes_since(previous, facts) if previous else ""
        _write_texts(
            folder,
            {
                "guidelines.md": guidelines_text(campaigns),
                "design.json": design_text(campaigns, with_secret=options.with_secret),
                "datasheet.md": datasheet(about, facts),
                NUMBERS: numbers_json(about, facts),
                CHANGES: changes_md(about, changes, previous),
                "CITATION.cff": citation_cff(about),
                ".zenodo.json": zenodo_json(about, facts),
                "LICENSE.md": f"# Licences\n\n{wording.licences(about)}\n",
                "README.md": readme(about, facts, tables, changes, options),
            },
        )
        described = [path.name for path in sorted(folder.iterdir()) if path.is_file()]
        others = [written_file(folder, name, progress) for name in described]
        _write_texts(folder, {"croissant.json": croissant_json(about, facts, tables, others)})
        _write_texts(folder, {MANIFEST: _manifest(folder, progress)})
        return changes

    changes = steps.done("descriptions", str, describe)
    top = f"{about.name}-{about.version}"
    steps.done("zip", NoneType, lambda: _write_zip(archive, folder, top, progress))
    return Release(folder, archive, facts, changes)


def record_release(
    campaigns: Sequence[Campaign], about: About, check: Checked, options: Options, *, by: User | None
) -> None:
    """Record in the audit log, for each campaign, that a release was written."""
    for campaign in campaigns:
        record(
            user=by,
            action=AuditAction.EXPORT,
            subject=campaign,
            details={
                "format": "data release",
                "data set": about.name,
                "version": about.version,
                "confirmed": list(map(str, check.confirmed)),
                "names": False,
                "secret": options.with_secret,
            },
        )


@contextmanager
def _part_of(folder: Path) -> Iterator[Path]:
    """A folder beside it for what is not complete, which one process at a time has.

    In the end, what is still there is deleted.

    Raises:
        ReleaseRefusedError: another process has it.
    """
    part = folder.with_name(f".{folder.name}.part")
    part.mkdir(exist_ok=True)
    handle = os.open(part, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ReleaseRefusedError(f"Another process is writing {folder}.") from error
        try:
            yield part
        finally:
            shutil.rmtree(part, ignore_errors=True)
    finally:
        os.close(handle)


class _Tables:
    """Some tables of a release, each of which is written while its rows are read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, TableFiles] = {}

    def __getitem__(self, table: Table) -> TableFiles:
        if table.name not in self._files:
            self._files[table.name] = TableFiles(self._folder, table)
        return self._files[table.name]

    def add(self, table: Table, rows: Iterable[Sequence[object]]) -> None:
        """Add rows to a table."""
        for row in rows:
            self[table].add(row)

    def end(self) -> Rows:
        """Finish the files of all tables with rows."""
        return {name: rows for name, files in self._files.items() if (rows := files.end())}

    def close(self) -> None:
        """Close the files of all tables, also of those that are not finished."""
        for files in self._files.values():
            files.close()


def _write_tables(
    folder: Path, campaigns: Sequence[Campaign], about: About, steps: Steps, progress: Progress
) -> tuple[list[WrittenTable], Facts]:
    # First, because it refuses campaigns that are too large to be analysed.
    results = steps.done(
        "comparison", list[Compared], lambda: [compared(each, progress) for each in campaigns]
    )
    has_texts = not about.leaves_out_texts
    practised = PRACTICE if len(campaigns) == 1 else PRACTICE_OF_SEVERAL

    def judgments(tables: _Tables, kind: AnnotatorKind) -> list[Counted]:
        of_each: list[Counted] = []
        for campaign in campaigns:
            counted, before = Counted(), sum(each.states.total() for each in of_each)
            controls = frozenset(
                campaign.systems.filter(role=SystemRole.CONTROL).values_list("name", flat=True)
            )
            for row in _released(campaign, campaigns, kind, about, before).rows(counted, progress):
                systems = row[SYSTEMS_PLACE]
                is_control = isinstance(systems, tuple) and bool(systems) and controls.issuperset(systems)
                of_people = CONTROL_JUDGMENTS if is_control else JUDGMENTS
                tables[of_people if kind is AnnotatorKind.PERSON else MACHINE_JUDGMENTS].add(row)
            of_each.append(counted)
        return of_each

    def texts(tables: _Tables) -> None:
        for campaign in campaigns:
            beside = () if practised is PRACTICE else (campaign.name,)
            rows_of_one = practice_rows(campaign, pseudonyms_of(campaign, campaigns, about))
            tables.add(practised, ((*beside, *row) for row in rows_of_one))
        tables.add(SYSTEMS, system_rows(campaigns))
        for sentence in sentences_of(campaigns, progress):
            tables[SENTENCES].add(sentence_row(sentence, texts=has_texts))
            tables.add(OUTPUTS, output_rows(sentence, controls=False, texts=has_texts))
            tables.add(CONTROL_OUTPUTS, output_rows(sentence, controls=True, texts=has_texts))
            tables.add(REFERENCES, reference_rows(sentence, texts=has_texts))

    def scores(tables: _Tables) -> None:
        sets = released_sets(campaigns)
        tables.add(SYSTEM_SCORES, system_score_rows(campaigns, sets))
        tables.add(OUTPUT_SCORES, output_score_rows(campaigns, sets, progress))

    rows: Rows = {}

    def done(step: str, kind: type[T], work: Callable[[_Tables], T]) -> T:
        def written() -> tuple[T, Rows]:
            with closing(_Tables(folder)) as tables:
                return work(tables), tables.end()

        result, of_step = steps.done(step, tuple[kind, Rows], written)  # type: ignore[valid-type]  # cattrs reads it
        rows.update(of_step)
        return result

    people = done("judgments by people", list[Counted], partial(judgments, kind=AnnotatorKind.PERSON))
    machines = done("judgments by machines", list[Counted], partial(judgments, kind=AnnotatorKind.MACHINE))
    done("texts", NoneType, texts)
    done("scores", NoneType, scores)
    known = {each.name: each for each in (*TABLES, practised)}
    written = [written_table(folder, known[name], number, progress) for name, number in rows.items()]
    annotators = set().union(*(each.annotators for each in people))
    facts = [facts_of(*of_one) for of_one in zip(campaigns, results, people, machines, strict=True)]
    return written, facts_together(facts, len(annotators), rows)


def _released(
    campaign: Campaign, campaigns: Sequence[Campaign], kind: AnnotatorKind, about: About, before: int
) -> Released:
    """The judgments of a campaign, numbered after those that were written before."""
    design = getattr(campaign, "design", None)
    protocol = PROTOCOLS.get(campaign.protocol)
    return Released(
        campaign,
        kind,
        pseudonyms_of(campaign, campaigns, about),
        about.leaves_out_texts,
        withdrawn=frozenset(campaign.corpus.withdrawn.values_list("name", flat=True)),
        labels=frozenset(
            [*labels_of(design.protocol_options if design else ()), *(protocol.words if protocol else ())]
        ),
        before=before,
    )


def _write_texts(folder: Path, texts: dict[str, str]) -> None:
    """Write files; empty ones are left out."""
    for name, text in texts.items():
        if text:
            (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _paths(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _manifest(folder: Path, progress: Progress) -> str:
    return "".join(f"{file_digest(folder / path, progress)}  {path}\n" for path in _paths(folder))


def _write_zip(path: Path, folder: Path, top: str, progress: Progress) -> None:
    names = _paths(folder)
    progress.begin("Writing the zip", total=len(names))
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            entry = zipfile.ZipInfo(f"{top}/{name}", EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with archive.open(entry, "w", force_zip64=True) as packed:
                for block in blocks(folder / name, progress):
                    packed.write(block)
            progress.advance(1)
