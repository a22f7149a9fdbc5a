"""Parallel text: a source file and one file a system, one sentence a line; references as text or M2."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from formats.file_names import named_after
from formats.m2 import Absent, M2File, M2Sentence, read_m2
from formats.records import MAX_ANNOTATORS, MAX_SYSTEMS, CorpusRecord, FormatError, Reference, SentenceRecord
from formats.text.checks import Place, check_texts, checked_name, checked_source, checked_system, checked_text
from formats.text.lines import read_lines


def read_parallel(
    source: Path,
    systems: Mapping[str, Path],
    *,
    references: Mapping[str, Path] = {},
    m2: Sequence[Path] = (),
    documents: Path | None = None,
    domains: Path | None = None,
    absent: Absent = "auto",
    lenient: bool = False,
    step: Callable[[], None] = lambda: None,
) -> CorpusRecord:
    """Read a corpus from files that agree line by line.

    The annotators of one M2 file keep their ids. Those of several M2 files, or of one whose ids clash with a
    name in `references`, are called by file and id: annotator "0" of `A1.m2` is "A1.0".

    Args:
        source: The source sentences, none of them empty.
        systems: Output file by system name; an empty line is an empty output.
        references: Text file by annotator; an empty line is an empty correction.
        m2: M2 files whose S lines are the tokens of the source lines.
        documents: A file with one document id a line.
        domains: A file with one domain a line.
        absent: Meaning of an annotator without A line in the M2 files, see `read_m2`.
        lenient: Repair spans and overlapping edits in the M2 files with a warning, see `read_m2`.
        step: called after each file; it may stop the reading by raising an error.

    Raises:
        FormatError: a file that has not as many lines as the source (both files, both counts and the first
            line without counterpart are named); M2 tokens that differ from the source; an empty source
            sentence, document id or domain; bad system names; an annotator twice; too many systems,
            annotators or texts; and all faults of `read_text` and `read_m2`.
    """
    sources = [checked_source(line, place) for place, line in read_lines(source)]
    beside = read_beside(
        sources, source, systems, references=references, m2=m2, absent=absent, lenient=lenient, step=step
    )
    document_ids = _labels(documents, source, len(sources), "the document id")
    domain_names = _labels(domains, source, len(sources), "the domain")
    sentences = tuple(
        replace(sentence, document=document, domain=domain)
        for sentence, document, domain in zip(beside.sentences, document_ids, domain_names, strict=True)
    )
    return replace(beside, sentences=sentences)


def read_beside(
    sources: Sequence[str],
    source: Path,
    systems: Mapping[str, Path],
    *,
    references: Mapping[str, Path] = {},
    m2: Sequence[Path] = (),
    taken: Collection[str] = (),
    absent: Absent = "auto",
    lenient: bool = False,
    step: Callable[[], None] = lambda: None,
) -> CorpusRecord:
    """Read outputs and references of sentences that are known, from files that agree with them line by line.

    Args:
        sources: The sentences.
        source: What errors call the file of the sentences.
        systems: See `read_parallel`.
        references: See `read_parallel`.
        m2: See `read_parallel`.
        taken: Names of other annotators; an M2 file with such an id is read as one of several.
        absent: See `read_parallel`.
        lenient: See `read_parallel`.
        step: See `read_parallel`.

    Raises:
        FormatError: See `read_parallel`.
    """
    if len(systems) > MAX_SYSTEMS:
        raise FormatError(source, None, f"{len(systems)} systems, at most {MAX_SYSTEMS} are allowed")
    check_texts(len(sources) * (len(systems) + len(references)), Place(source))
    names = [checked_system(name, Place(path)) for name, path in systems.items()]
    step()
    outputs = []
    for path in systems.values():
        outputs.append(_texts(path, source, len(sources), "the output"))
        step()
    corrections, warnings = _references(source, sources, references, m2, taken, absent, lenient, step)
    sentences = tuple(
        SentenceRecord(
            text,
            dict(zip(names, (column[index] for column in outputs), strict=True)),
            tuple(corrections[index]),
            "",
            "",
        )
        for index, text in enumerate(sources)
    )
    return CorpusRecord(sentences, tuple(names), warnings)


def read_m2_with_references(path: Path, references: Mapping[str, Path]) -> tuple[SentenceRecord, ...]:
    """The sentences of an M2 file with its annotators, and with further references as texts.

    Args:
        path: The M2 file, read strictly.
        references: Text file by name, a line for each sentence of the M2 file.

    Raises:
        FormatError: another number of lines, a name that an annotator of the M2 file has, and all faults of
            `read_text` and `read_m2`.
    """
    file = read_m2(path)
    taken = set(file.annotators)
    rows = [list(sentence.references) for sentence in file.sentences]
    for name, text_path in references.items():
        annotator = checked_name(name, Place(text_path), "the annotator")
        _take(annotator, taken, text_path)
        for row, text in zip(rows, _texts(text_path, path, len(rows), "the reference"), strict=True):
            row.append(Reference(annotator, text, None))
    return tuple(
        SentenceRecord(" ".join(sentence.tokens), {}, tuple(row), "", "")
        for sentence, row in zip(file.sentences, rows, strict=True)
    )


def read_edited_outputs(
    source: Path, path: Path, *, lenient: bool = False
) -> tuple[list[Reference], tuple[str, ...]]:
    """Read the outputs of a system that are given as an M2 file of its edits, by one annotator.

    Args:
        source: The source sentences.
        path: The M2 file.
        lenient: See `read_m2`.

    Returns:
        The outputs with their edits, one for each sentence, and what was repaired.

    Raises:
        FormatError: the file has not one annotator, its tokens differ from the source, or it has another
            number of sentences; and all faults of `read_text` and `read_m2`.
    """
    sources = [checked_source(line, place) for place, line in read_lines(source)]
    file = read_m2(path, absent="unchanged", lenient=lenient)
    if len(file.annotators) != 1:
        names = ", ".join(file.annotators)
        raise FormatError(
            path, None, f"the edits of a system must have one annotator, but this file has: {names}"
        )
    aligned = _aligned(file, path, source, sources)
    outputs = [
        _renamed(sentence.references[0], file.annotators[0], text)
        for sentence, text in zip(aligned, sources, strict=True)
    ]
    return outputs, file.warnings


def _beside(path: Path, source: Path, count: int) -> list[tuple[Place, str]]:
    lines = read_lines(path)
    if len(lines) == count:
        return lines
    first = min(len(lines), count) + 1
    lacking = path if len(lines) < count else source
    cause = f"{len(lines)} lines, but {count} in the source {source}: line {first} is missing in {lacking}"
    raise FormatError(path, first, cause)


def _texts(path: Path, source: Path, count: int, what: str) -> list[str]:
    return [checked_text(line, place, what) for place, line in _beside(path, source, count)]


def _labels(path: Path | None, source: Path, count: int, what: str) -> list[str]:
    if path is None:
        return [""] * count
    return [checked_name(line, place, what) for place, line in _beside(path, source, count)]


def _references(
    source: Path,
    sources: Sequence[str],
    texts: Mapping[str, Path],
    m2: Sequence[Path],
    elsewhere: Collection[str],
    absent: Absent,
    lenient: bool,
    step: Callable[[], None],
) -> tuple[list[list[Reference]], tuple[str, ...]]:
    """References of each sentence, the texts before the M2 files, and the warnings."""
    rows: list[list[Reference]] = [[] for _ in sources]
    taken: set[str] = set()
    for name, path in texts.items():
        annotator = checked_name(name, Place(path), "the annotator")
        _take(annotator, taken, path)
        for row, text in zip(rows, _texts(path, source, len(sources), "the reference"), strict=True):
            row.append(Reference(annotator, text, None))
        step()
    warnings: list[str] = []
    for path in m2:
        file = read_m2(path, absent=absent, lenient=lenient)
        warnings += file.warnings
        names = taken.union(elsewhere)
        ids = _annotator_ids(file, path, prefixed=len(m2) > 1 or not names.isdisjoint(file.annotators))
        for annotator in ids.values():
            _take(annotator, taken, path)
        for row, text, sentence in zip(rows, sources, _aligned(file, path, source, sources), strict=True):
            row += [_renamed(reference, ids[reference.annotator], text) for reference in sentence.references]
        step()
    return rows, tuple(warnings)


def _take(annotator: str, taken: set[str], path: Path) -> None:
    if annotator in taken:
        raise FormatError(path, None, f"annotator {annotator!r} is already there from another file")
    if len(taken) == MAX_ANNOTATORS:
        raise FormatError(path, None, f"more than {MAX_ANNOTATORS} annotators")
    taken.add(annotator)


def _annotator_ids(file: M2File, path: Path, *, prefixed: bool) -> dict[str, str]:
    if not prefixed:
        return {name: name for name in file.annotators}
    return {
        name: checked_name(f"{named_after(path)}.{name}", Place(path), "the annotator")
        for name in file.annotators
    }


def _aligned(file: M2File, path: Path, source: Path, sources: Sequence[str]) -> tuple[M2Sentence, ...]:
    for index, (sentence, text) in enumerate(zip(file.sentences, sources, strict=False), start=1):
        if sentence.tokens != tuple(text.split()):
            raise sentence.place.fault(f"the tokens of sentence {index} differ from {source}:{index}")
    size, count = len(file.sentences), len(sources)
    if size == count:
        return file.sentences
    place = file.sentences[count].place if size > count else Place(path)
    lacking = path if size < count else source
    raise place.fault(
        f"{size} sentences, but {count} in the source {source}: "
        f"sentence {min(size, count) + 1} is missing in {lacking}"
    )


def _renamed(reference: Reference, annotator: str, source: str) -> Reference:
    """The reference under the annotator's final id; unchanged, it keeps the very text of the source."""
    text = reference.text if reference.edits else source
    return replace(reference, annotator=annotator, text=text)
