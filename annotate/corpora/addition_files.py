"""Files of systems and references that are to join a corpus."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from annotate.corpora.additions import annotators_of, sources_of, with_prefixed_annotators
from annotate.models import Corpus
from formats import Absent, CorpusRecord, named_after, read_beside, read_jsonl
from formats.collected_answers import read_answers_as_corpus

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
) -> CorpusRecord:
    """Read what is to join a corpus, in every format in which a corpus can be imported.

    Ids of annotators in M2, JSON Lines and tables of answers are put after the name of the file where the
    corpus has an annotator of the same name.

    Args:
        corpus: the corpus.
        systems: files of outputs by name, with a line for each sentence.
        references: files of references by annotator, with a line for each sentence.
        m2: M2 files.
        whole: a file by one of the names in `WHOLE_FILES`, instead of all others.
        absent: see `formats.read_parallel`.
        lenient: see `formats.read_parallel`.

    Raises:
        FormatError: a file cannot be read, or does not fit the sentences.
    """
    taken = annotators_of(corpus)
    for kind, path in whole.items():
        return with_prefixed_annotators(WHOLE_FILES[kind](path), named_after(path), taken)
    return read_beside(
        sources_of(corpus),
        Path(f"corpus {corpus.name}"),
        systems,
        references=references,
        m2=m2,
        taken=taken,
        absent=absent,
        lenient=lenient,
    )
