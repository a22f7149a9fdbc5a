"""Plans of the import of an upload: its jobs' parameters, read as commands read their options."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError

from annotate.corpora.addition_files import WHOLE_FILES, read_addition
from annotate.corpora.additions import plan_addition, store_addition
from annotate.corpora.importing import plan_corpus, store_corpus
from annotate.corpora.queries import texts
from annotate.database.staging import ImportRefusedError
from annotate.imports.collected_spans import holds_collected_spans, plan_spans
from annotate.imports.system_rows import SystemRow, system_rows
from annotate.judgments.importing import plan_judgments, store_judgments
from annotate.models import Campaign, Corpus, SystemRole, User
from annotate.models.listed import corpora
from annotate.web.uploads import folder_of
from annotate.web.wording import validation_in_words
from core.progress import Advance, Progress
from formats import (
    CorpusRecord,
    FormatError,
    JudgmentRecord,
    named_after,
    read_jsonl,
    read_judgments,
    read_parallel,
)
from formats.collected_answers import read_answers_as_corpus
from formats.multigec import read_multigec
from formats.naming import SameIdentifierError, SystemNames, identifiers_of, renamed
from formats.snapshot.resolution import fitting_first_sentence, resolve
from jobs.running import JobFailedError

Options = Mapping[str, Any]
"""Options of an upload by name, stored with its job as JSON."""


@dataclass(frozen=True, slots=True)
class Recount:
    """Judgments that fit their corpus only with another number of the first sentence.

    Attributes:
        first_sentence: this number.
        fault: the error without it.
    """

    first_sentence: int
    fault: str


@dataclass(frozen=True, slots=True)
class UploadPlan:
    """The plan of the import of an upload.

    Attributes:
        description: in a sentence or two.
        warnings: what a lenient reading has repaired, and what is probably a mistake.
        is_stored: whether the content is already stored, so that nothing would change.
        parts: how many sentences or judgments there are to store.
        store: does it, and tells how many it has stored by each piece.
        systems: rows about each system of a corpus.
        tokenisation: of a new corpus, detected or chosen.
        recount: the number of the first sentence that is proposed, where the file does not fit as it is.
    """

    description: str
    warnings: tuple[str, ...]
    is_stored: bool
    parts: int
    store: Callable[[Advance], Corpus | Campaign]
    systems: tuple[SystemRow, ...] = ()
    tokenisation: str | None = None
    recount: Recount | None = None


@contextmanager
def faults_in_words(upload: str) -> Iterator[None]:
    """Errors of an upload become a failure of its job, with the files' original names in the message."""
    try:
        if not folder_of(upload).is_dir():
            raise JobFailedError("The uploaded files have been deleted. Upload them again.")
        yield
    except (FormatError, ImportRefusedError, SameIdentifierError) as error:
        raise JobFailedError(_as_sent(str(error), upload)) from error
    except ValidationError as error:
        raise JobFailedError(validation_in_words(error)) from error


def _as_sent(message: str, upload: str) -> str:
    """The message with the files' original names in place of their paths here."""
    return message.replace(f"{folder_of(upload)}/", "")


def plan_upload(
    parameters: Mapping[str, Any],
    *,
    uuid: UUID,
    owner: User | None,
    progress: Progress,
    is_rerun: bool = False,
) -> UploadPlan:
    """Read the files and compare them with what is stored.

    Args:
        parameters: of the job: `upload`, `what` (corpus, addition or judgments), `options`, names of `files`
            by field.
        uuid: for what is stored, so that a rerun knows its leftovers.
        owner: whose imported judgments are.
        progress: is told the steps of reading judgments, and may stop the reading of a corpus.
        is_rerun: whether an earlier attempt was killed.

    Raises:
        FormatError, ImportRefusedError, ValidationError: the files or the options are wrong.
    """
    folder = folder_of(parameters["upload"])
    files = {field: [folder / field / name for name in names] for field, names in parameters["files"].items()}
    options = parameters["options"]
    if parameters["what"] == "judgments":
        return _plan_judgments(options, files, uuid, owner, progress)

    if parameters["what"] == "addition":
        plan = _plan_addition(options, files, owner, is_rerun, progress.step)
    else:
        plan = _plan_corpus(options, files, uuid, progress.step)
    warnings = tuple(_as_sent(warning, parameters["upload"]) for warning in plan.warnings)
    return replace(plan, warnings=warnings)


Files = Mapping[str, list[Path]]


def _plan_corpus(options: Options, files: Files, uuid: UUID, step: Callable[[], None]) -> UploadPlan:
    record = _read_corpus(options, files, step)
    rows, names = _named_systems(record, options, files)
    plan = plan_corpus(
        name=options["name"],
        language=options["language"],
        record=renamed(record, names),
        roles={system.name: system.role for system in names.values()},
        labels={system.name: system.label for system in names.values()},
        families={system.name: system.family for system in names.values()},
        tokenisation=options.get("tokenisation"),
        uuid=uuid,
        step=step,
    )
    return UploadPlan(
        description=plan.description,
        warnings=plan.warnings,
        is_stored=plan.stored is not None,
        parts=len(plan.record.sentences),
        store=lambda progress: store_corpus(plan, progress=progress),
        systems=rows,
        tokenisation=plan.corpus.tokenisation,
    )


def _plan_addition(
    options: Options, files: Files, owner: User | None, is_rerun: bool, step: Callable[[], None]
) -> UploadPlan:
    corpus = corpora().filter(uuid=options["corpus"]).first()
    if corpus is None:
        raise ImportRefusedError("The corpus has been deleted.")
    systems = files.get("systems", [])
    identifiers = identifiers_of(map(named_after, systems))
    record = read_addition(
        corpus,
        systems={identifiers[named_after(path)]: path for path in systems},
        references={named_after(path): path for path in files.get("references", [])},
        m2=files.get("m2", []),
        whole={kind: files[kind][0] for kind in WHOLE_FILES if kind in files},
        absent=options["absent"],
        lenient=options["lenient"],
        step=step,
    )
    rows, names = _named_systems(record, options, files)
    if corpus.systems.filter(role=SystemRole.SOURCE).exists():
        # A copy of the source is proposed to be an ordinary system where the corpus has its source.
        rows = tuple(replace(row, role=SystemRole.SYSTEM) for row in rows)
        if not options.get("systems"):
            names = {key: replace(name, role=SystemRole.SYSTEM) for key, name in names.items()}
    plan = plan_addition(corpus=corpus, record=record, names=names)
    new = set(plan.record.systems)
    return UploadPlan(
        description=plan.description,
        warnings=plan.warnings,
        is_stored=plan.is_stored,
        parts=len(plan.record.sentences),
        store=lambda progress: store_addition(plan, by=owner, progress=progress, takes_over=is_rerun),
        systems=tuple(row for row in rows if row.key in new),
    )


def _named_systems(
    record: CorpusRecord, options: Options, files: Files
) -> tuple[tuple[SystemRow, ...], dict[str, SystemNames]]:
    """A row for each system, and its names and role: those proposed, or as they were edited."""
    identifiers = identifiers_of(map(named_after, files.get("systems", [])))
    rows = system_rows(record, {name: label for label, name in identifiers.items() if name != label})
    names = {row.key: SystemNames(row.key, row.label, row.role) for row in rows}
    names |= {key: SystemNames(**edited) for key, edited in options.get("systems", {}).items()}
    return rows, names


def _read_corpus(options: Options, files: Files, step: Callable[[], None]) -> CorpusRecord:
    systems = files.get("systems", [])
    identifiers = identifiers_of(map(named_after, systems))
    if "jsonl" in files:
        return read_jsonl(files["jsonl"][0], step=step)
    if "essays" in files:
        return read_multigec(files["essays"])
    if "answers" in files:
        return read_answers_as_corpus(files["answers"][0])
    return read_parallel(
        files["source"][0],
        {identifiers[named_after(path)]: path for path in systems},
        references={named_after(path): path for path in files.get("references", [])},
        m2=files.get("m2", []),
        documents=_only(files, "documents"),
        domains=_only(files, "domains"),
        absent=options["absent"],
        lenient=options["lenient"],
        step=step,
    )


def _plan_judgments(
    options: Options, files: Files, uuid: UUID, owner: User | None, progress: Progress
) -> UploadPlan:
    [file] = files["judgments"]
    corpus = corpora().filter(uuid=options["corpus"]).first() if options["corpus"] else None
    if options["corpus"] and corpus is None:
        raise ImportRefusedError("The corpus that was judged has been deleted.")
    if holds_collected_spans(file):
        return _plan_spans(file, _only(files, "batches"), corpus, options, uuid, owner)
    judgments, recount = _resolved(file, corpus, options["first_sentence"], progress)
    plan = plan_judgments(
        name=options["name"],
        corpus=corpus,
        judgments=judgments,
        synthetic=options["synthetic"],
        uuid=uuid,
        owner=owner,
        progress=progress,
    )
    return UploadPlan(
        description=plan.description,
        warnings=(),
        is_stored=plan.stored is not None,
        parts=len(plan.judgments),
        store=lambda progress: store_judgments(plan, progress=progress),
        recount=recount,
    )


def _plan_spans(
    file: Path, batches: Path | None, corpus: Corpus | None, options: Options, uuid: UUID, owner: User | None
) -> UploadPlan:
    plan = plan_spans(
        file,
        batches=batches,
        name=options["name"],
        corpus=corpus,
        language="und",
        first_sentence=options["first_sentence"],
        synthetic=options["synthetic"],
        uuid=uuid,
        owner=owner,
    )
    return UploadPlan(
        description=plan.description,
        warnings=(),
        is_stored=plan.judgments.stored is not None,
        parts=len(plan.judgments.judgments),
        store=plan.store,
    )


def _resolved(
    path: Path, corpus: Corpus | None, first_sentence: int | None, progress: Progress
) -> tuple[tuple[JudgmentRecord, ...], Recount | None]:
    """The judgments of a file; those by another number of the first sentence where only that fits."""
    file = read_judgments(path, progress)
    progress.step()
    if corpus is None:
        return resolve(file, path, first_sentence=first_sentence), None
    judged = texts(corpus, progress)
    try:
        return resolve(file, path, texts=judged, first_sentence=first_sentence, progress=progress), None
    except FormatError as error:
        other = fitting_first_sentence(file, path, texts=judged, first_sentence=first_sentence)
        if other is None:
            raise
        fault = error.cause if error.line is None else f"line {error.line}: {error.cause}"
        return resolve(file, path, texts=judged, first_sentence=other), Recount(other, fault)


def _only(files: Files, field: str) -> Path | None:
    return files[field][0] if field in files else None
