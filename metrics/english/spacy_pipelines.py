"""English spaCy pipelines for `EvaluationSet`: the one that ships with the metrics, or another.

Nothing is downloaded: a pipeline that is not shipped must be installed.
"""

import json
import os
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from core.progress import Advance
from metrics.english.parse_cache import ParseCache, interned, packed, unpacked
from metrics.english.parses import ParsedText

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

SHIPPED = "assay_en_ewt"
FOLDER = Path(__file__).parent / "pipelines" / SHIPPED

PROBE = "She has seen two old cats ."
"""Test sentence: a pipeline must give each word a tag, a lemma, a part of speech and a label."""

MOST_KEPT = 30_000
"""Number of parses that a pipeline caches in memory, 2 or 3 kB each."""

TEXTS_AT_ONCE = 20_000
"""Texts beyond these that are parsed ahead before memory lets go of them."""

PIPELINES_KEPT = 2
"""Number of pipelines that stay loaded in a process, at most 50 MB each."""

TEXTS_A_CHUNK = 200
WORTH_MORE_PROCESSES = 60_000
"""Number of words from which further processes pay off; each takes two seconds to start."""


class PipelineError(Exception):
    """A pipeline is missing or unsuitable for ERRANT; the message says what to do."""


class EnglishPipeline:
    """A pipeline, loaded on first use.

    Args:
        name: "assay_en_ewt", or an installed spaCy pipeline such as "en_core_web_sm", or the folder of one.
        cache: persistent cache of parses; None for none.
    """

    def __init__(self, name: str = SHIPPED, *, cache: ParseCache | None = None) -> None:
        self._name = name
        self._cache = cache
        self._nlp: Language | None = None
        self._kept: dict[str, ParsedText] = {}

    @property
    def signature(self) -> str:
        """Name and version of the pipeline and of spaCy.

        Raises:
            PipelineError: as `parse`.
        """
        meta = self._loaded().meta
        name = self._name if self._name == SHIPPED else f"{meta['lang']}_{meta['name']}"
        return f"{name}-{meta['version']}-spacy-{version('spacy')}"

    def parse(
        self, texts: Sequence[str], *, progress: Advance | None = None, processes: int | None = None
    ) -> list[ParsedText]:
        """Tags, lemmas and dependencies of each text, each distinct text once.

        Args:
            texts: tokens separated by blanks.
            progress: gets the number of finished texts, `len(texts)` in total.
            processes: maximum number of processes; default: one per core. A few texts are parsed in this
                process.

        Raises:
            PipelineError: the pipeline does not exist or lacks annotations that ERRANT needs.
        """
        distinct = dict.fromkeys(texts)
        parses = {text: self._kept[text] for text in distinct if text in self._kept}
        missing = [text for text in distinct if text not in parses]
        if missing and self._cache is not None:
            parses |= self._cache.get(self.signature, missing)
            missing = [text for text in missing if text not in parses]
        if progress is not None:
            progress(len(texts) - len(missing))
        for chunk in self._parsed(missing, processes or cores()):
            parses |= chunk
            if self._cache is not None:
                self._cache.put(self.signature, chunk)
            if progress is not None:
                progress(len(chunk))
        self._keep({text: parses[text] for text in distinct})
        return [parses[text] for text in texts]

    def parse_ahead(
        self, texts: Sequence[str], *, progress: Advance | None = None, processes: int | None = None
    ) -> None:
        """Parse texts that `parse` will be asked for, each distinct text once.

        The persistent cache holds them; memory has as many as it keeps anyway.

        Args:
            texts: as of `parse`.
            progress: as of `parse`.
            processes: as of `parse`.

        Raises:
            PipelineError: as `parse`.
        """
        if len(texts) <= MOST_KEPT:
            self.parse(texts, progress=progress, processes=processes)
            return
        for begin in range(0, len(texts), TEXTS_AT_ONCE):
            some = texts[begin : begin + TEXTS_AT_ONCE]
            missing = [text for text in some if text not in self._kept]
            if self._cache is not None:
                missing = self._cache.missing(self.signature, missing)
            if progress is not None:
                progress(len(some) - len(missing))
            if missing:
                self.parse(missing, progress=progress, processes=processes)

    def parse_here(self, texts: Iterable[str]) -> list[ParsedText]:
        """Parse in this process, ignoring the caches.

        Texts are parsed one by one, so that a parse cannot depend on other texts.
        """
        from spacy.tokens import Doc

        nlp = self._loaded()
        return [_parsed(nlp(Doc(nlp.vocab, words=text.split()))) for text in texts]

    def _parsed(self, texts: Sequence[str], processes: int) -> Iterator[dict[str, ParsedText]]:
        """Parses by text, in chunks in the order of the texts."""
        chunks = [texts[begin : begin + TEXTS_A_CHUNK] for begin in range(0, len(texts), TEXTS_A_CHUNK)]
        processes = min(processes, len(chunks))
        if processes < 2 or sum(len(text.split()) for text in texts) < WORTH_MORE_PROCESSES:
            for chunk in chunks:
                yield dict(zip(chunk, self.parse_here(chunk), strict=True))
        else:
            yield from _parsed_by_workers(self._name, chunks, processes)

    def _keep(self, parses: dict[str, ParsedText]) -> None:
        self._kept |= parses
        for text in list(islice(self._kept, max(0, len(self._kept) - MOST_KEPT))):
            del self._kept[text]

    def _loaded(self) -> "Language":
        if self._nlp is None:
            self._nlp = load(self._name)
        return self._nlp


@lru_cache(PIPELINES_KEPT)
def load(name: str) -> "Language":
    """The spaCy pipeline of this name; it stays loaded.

    Raises:
        PipelineError: it does not exist or lacks annotations that ERRANT needs.
    """
    nlp = _load_shipped() if name == SHIPPED else _load_installed(name)
    _check(name, nlp)
    return nlp


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0))


def _load_shipped() -> "Language":
    from spacy.util import load_model_from_config

    with zipfile.ZipFile(FOLDER / f"{SHIPPED}.zip") as file:
        config = json.loads(file.read("config.json"))
        content = file.read("pipeline.msgpack")
    nlp = load_model_from_config(config)
    return nlp.from_bytes(content, exclude=["tokenizer", "config"])


def _load_installed(name: str) -> "Language":
    from spacy.util import load_model

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # trained with another version of spaCy
            nlp = load_model(name, exclude=["ner"])
    except (OSError, ValueError) as error:
        raise PipelineError(
            f"there is no English pipeline {name!r}: it must be {SHIPPED}, or a spaCy pipeline that is "
            f"installed, or the folder of one ({error})"
        ) from error
    if nlp.lang != "en":
        raise PipelineError(f"the pipeline {name!r} is for the language {nlp.lang!r}; ERRANT reads English")
    return nlp


def _check(name: str, nlp: "Language") -> None:
    """Refuse a pipeline that lacks tags or lemmas, or has tags that ERRANT does not know."""
    from errant.en.classifier import pos_map
    from spacy.tokens import Doc

    doc = nlp(Doc(nlp.vocab, words=PROBE.split()))
    for attribute, what in (
        ("tag_", "tags"),
        ("lemma_", "lemmas"),
        ("pos_", "parts of speech"),
        ("dep_", "parses"),
    ):
        if not all(getattr(token, attribute) for token in doc):
            raise PipelineError(f"the pipeline {name!r} gives no {what}, which ERRANT needs")
    labels: Any = nlp.get_pipe("tagger").labels if nlp.has_pipe("tagger") else ()  # type: ignore[attr-defined]
    if unknown := sorted(set(labels) - set(pos_map)):
        raise PipelineError(f"the pipeline {name!r} has tags that ERRANT does not know: {', '.join(unknown)}")


def _parsed(doc: "Doc") -> ParsedText:
    return ParsedText(
        interned(token.text for token in doc),
        interned(token.tag_ for token in doc),
        interned(token.pos_ for token in doc),
        interned(token.lemma_ for token in doc),
        interned(token.dep_ for token in doc),
        tuple(token.head.i for token in doc),
    )


def _parsed_by_workers(
    name: str, chunks: Sequence[Sequence[str]], processes: int
) -> Iterator[dict[str, ParsedText]]:
    """Parses by text, in the order of the chunks, from this many further processes.

    A worker reads chunks from its standard input and ends where that ends: with this process at the latest.
    """
    workers = [_Worker(name) for _ in range(processes)]
    try:
        with ThreadPoolExecutor(processes) as threads:
            waiting = list(workers)

            def parse(chunk: Sequence[str]) -> dict[str, ParsedText]:
                worker = waiting.pop()
                try:
                    return worker.parse(chunk)
                finally:
                    waiting.append(worker)

            yield from threads.map(parse, chunks)
    finally:
        for worker in workers:
            worker.end()


class _Worker:
    """A process that runs `metrics.english.parsing_worker`."""

    def __init__(self, name: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "metrics.english.parsing_worker", name],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def parse(self, texts: Sequence[str]) -> dict[str, ParsedText]:
        stdin, stdout = cast(IO[bytes], self._process.stdin), cast(IO[bytes], self._process.stdout)
        try:
            stdin.write(json.dumps(texts).encode() + b"\n")
            stdin.flush()
        except BrokenPipeError:
            answer = b""
        else:
            answer = stdout.readline()
        if not answer:
            raise PipelineError("a process that parses has ended; what it wrote before says why")
        entries = [bytes.fromhex(entry) for entry in json.loads(answer)]
        return {text: unpacked(text, entry) for text, entry in zip(texts, entries, strict=True)}

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


def work(name: str) -> None:
    """Work of a worker: parse the texts of each line of standard input until it ends."""
    pipeline = EnglishPipeline(name)
    for line in sys.stdin.buffer:
        parses = pipeline.parse_here(json.loads(line))
        print(json.dumps([packed(parse).hex() for parse in parses]), flush=True)  # noqa: T201
