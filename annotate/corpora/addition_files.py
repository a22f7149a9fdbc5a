"""Files of systems and references that are to join a corpus."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from annotate.corpora.additions import annotators_of, sources_of, with_prefixed_annotators
from annotate.models import Corpus
from formats import Absent, CorpusRecord, FormatError, named_after, read_beside, read_jsonl
from formats.collected_answers import read_answers_as_corpus
from formats.multigec import read_essays_beside

WHOLE_FILES = {"jsonl": read_jsonl, "answers": read_answers_as_corpus}
"""Readers of files that name the sentences themselves."""


def read_addition(
    corpus: Corpus,
    *,
    systems: Mapping[str, Path],
    references: Mapping[str, Path],
    m2: Sequence[Path],
    whole: Mapping[str, Path],
    absent: Absent = "auto",
    lenient: bool = False,
    step: Callable[[], None] = lambda: None,
) -> CorpusRecord:
    """Read what is to join a corpus, in every format in which a corpus can be imported.

    Ids of annotators in M2, JSON Lines and tables of answers are put after the name of the file where the
    corpus has an annotator of the same name.

    Args:
        corpus: the corpus.
        systems: files of outputs by name, with a line for each sentence, or MultiGEC's Markdown (`.md`).
        references: files of references by annotator, likewise.
        m2: M2 files.
        whole: a file by one of the names in `WHOLE_FILES`, instead of all others.
        absent: see `formats.read_parallel`.
        lenient: see `formats.read_parallel`.
        step: see `formats.read_parallel`.

    Raises:
        FormatError: a file cannot be read, or does not fit the sentences.
    """
    taken = annotators_of(corpus)
    for kind, path in whole.items():
        return with_prefixed_annotators(WHOLE_FILES[kind](path), named_after(path), taken)
    files = [*systems.values(), *references.values()]
    if corpus.holds_essays and any(path.suffix == ".md" for path in files):
        return _read_essays(corpus, systems, references, m2)
    return read_beside(
        sources_of(corpus),
        Path(f"corpus {corpus.name}"),
        systems,
        references=references,
        m2=m2,
        taken=taken,
        absent=absent,
        lenient=lenient,
        step=step,
    )


def _read_essays(
    corpus: Corpus, systems: Mapping[str, Path], references: Mapping[str, Path], m2: Sequence[Path]
) -> CorpusRecord:
    where = f"corpus {corpus.name}"
    others = [path for path in (*systems.values(), *references.values(), *m2) if path.suffix != ".md"]
    if others:
        raise FormatError(others[0], None, "not a .md file, as others are: give both in two additions")
    rows = corpus.sentences.order_by("position").values_list("document", "text")
    sources = {document: text or "" for document, text in rows}
    if "" in sources or len(sources) < len(rows):
        raise FormatError(Path(where), None, "its documents are not the ids of its essays")
    return read_essays_beside(sources, where, systems, references)
