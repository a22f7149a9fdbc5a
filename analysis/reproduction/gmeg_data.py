"""Reads the public development data of GMEG: mean human scores and their texts."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from analysis.reproduction import gmeg_ensemble, gmeg_metrics
from analysis.reproduction.cells import Table
from analysis.reproduction.gmeg import REFERENCES, TABLES, Domain, reproduce
from analysis.reproduction.gmeg_metrics_data import ScoredDomain, scored_domain
from analysis.reproduction.published_gmeg import DOMAINS, UNCHANGED
from annotate.storage.english import english_pipeline
from core.later import pd
from figures.drawing import Chart
from formats import FormatError, read_parallel
from formats.lines import read_lines
from metrics.validation import MetricsAndPeople
from ranking.resampling import Progress

SentenceScores = list[dict[str, float]]


def reproduce_from(
    folder: Path,
    *,
    tables: Collection[str] = TABLES,
    progress: Progress | None = None,
    train: Path | None = None,
    test: Path | None = None,
) -> dict[str, Table]:
    """Tables by name.

    Args:
        folder: holds `gmeg/dev/`, the development split, unless `train` names the folder of this split.
        tables: which.
        progress: called with the number of outputs scored, for Table 8 and the tables after it, and of
            splits and folds.
        train: folder of the development split.
        test: folder of the test split, in the same form. With it, Table 6 counts the sentences of both
            splits, and Table 8 and Figure 3 are of its sentences instead of development sentences. The
            learned metric, trained on development sentences, is tested on it besides.

    Raises:
        FormatError: a file is missing or malformed.
    """
    development = train or folder / "gmeg" / "dev"
    made: dict[str, Table] = {}
    if set(tables).intersection(TABLES):
        made = reproduce(read_domains(development), None if test is None else read_domains(test))
    if set(tables).intersection(gmeg_metrics.TABLES):
        domains = scored_domains(test or development, progress)
        made |= gmeg_metrics.reproduce(domains, is_test=test is not None, tables=tables)
    if set(tables).intersection(gmeg_ensemble.TABLES):
        made |= gmeg_ensemble.reproduce(
            scored_texts(development, progress),
            scored_texts(test, progress) if test is not None else None,
            tables=tables,
            progress=progress,
        )
    return {table: cells for table, cells in made.items() if table in tables}


def draw_from(folder: Path, *, train: Path | None = None, test: Path | None = None) -> dict[str, Chart]:
    """Figure 3, of the sentences that `reproduce_from` takes.

    Raises:
        FormatError: a file is missing or malformed.
    """
    return gmeg_metrics.figures(scored_domains(test or train or folder / "gmeg" / "dev"))


def scored_domains(folder: Path, progress: Progress | None = None) -> Mapping[str, MetricsAndPeople | None]:
    """The domains of a split with the metrics of Table 8; None for one without texts.

    Raises:
        FormatError: a file is missing or malformed.
    """
    if folder not in _with_metrics:
        _with_metrics[folder] = {
            name: None if domain is None else domain.metrics_and_people()
            for name, domain in scored_texts(folder, progress).items()
        }
    return _with_metrics[folder]


def scored_texts(folder: Path, progress: Progress | None = None) -> Mapping[str, ScoredDomain | None]:
    """The domains of a split with their texts scored, once in a process; None for one without texts.

    Raises:
        FormatError: a file is missing or malformed.
    """
    if folder not in _scored:
        parser = english_pipeline()
        domains = read_domains(folder)
        _scored[folder] = {
            name: scored_domain(folder / name, domain.snapshot, parser=parser, progress=progress)
            if domain.has_texts
            else None
            for name, domain in domains.items()
        }
    return _scored[folder]


_scored: dict[Path, Mapping[str, ScoredDomain | None]] = {}
_with_metrics: dict[Path, Mapping[str, MetricsAndPeople | None]] = {}


def read_domains(folder: Path) -> dict[str, Domain]:
    """The domains of a split.

    Raises:
        FormatError: a file is missing or malformed.
    """
    return {name: read_domain(folder, name) for name in DOMAINS}


def read_domain(folder: Path, name: str) -> Domain:
    """One domain of the release.

    Raises:
        FormatError: a file is missing or malformed.
    """
    path = folder / f"{name}-segment-scores.csv"
    scores = read_segment_scores(path)
    texts = _texts(folder / name) if (folder / name).is_dir() else None
    if texts is not None and len(texts) != len(scores):
        raise FormatError(path, None, f"{len(scores)} rows, but {len(texts)} sentences in {folder / name}")
    rows = [
        (str(number), "mean of eight", number, text, systems, score)
        for number, of_systems in enumerate(scores)
        for text, systems, score in _outputs(of_systems, texts[number] if texts else {}, path)
    ]
    columns = ["judgment", "annotator", "sentence", "output", "systems", "score"]
    return Domain(
        snapshot=pd.DataFrame(rows, columns=columns).assign(meaning_changed=None),
        published=_corpus_scores(folder / f"{name}-corpus-scores.csv"),
        has_texts=texts is not None,
    )


def read_segment_scores(path: Path) -> SentenceScores:
    """The mean score of each system by sentence; None for a sentence whose row is empty.

    Raises:
        FormatError: the file is missing, or a row is neither empty nor one number for each system.
    """
    (_, header), *lines = read_lines(path)
    systems = header.split(",")
    scores = []
    for place, line in lines:
        cells = line.split(",")
        if len(cells) != len(systems):
            raise place.fault(f"{len(cells)} cells, but {len(systems)} systems in the header")
        try:
            values = [float(cell) for cell in cells] if any(cells) else []
        except ValueError as error:
            raise place.fault(f"a score is not a number: {error}") from error
        if not all(map(math.isfinite, values)):
            raise place.fault("a score is not finite")
        scores.append(dict(zip(systems, values, strict=False)))
    return scores


def _corpus_scores(path: Path) -> dict[str, float]:
    scores = {}
    for place, line in read_lines(path)[1:]:
        system, _, score = line.partition(",")
        try:
            scores[system] = float(score)
        except ValueError as error:
            raise place.fault(f"not a system and its score: {line!r}") from error
    return scores


def _texts(folder: Path) -> list[dict[str, str]]:
    """The text of each system by sentence; which reference was scored as "ref" is not known."""
    systems = [system for system in UNCHANGED if system not in ("ref", "source")]
    record = read_parallel(folder / "source", {name: folder / name for name in (*systems, *REFERENCES)})
    return [{"source": sentence.source, **sentence.outputs} for sentence in record.sentences]


def _outputs(
    scores: Mapping[str, float], texts: Mapping[str, str], path: Path
) -> Iterator[tuple[str, tuple[str, ...], float | None]]:
    """The distinct outputs of a sentence, with systems and score; a system without text is separate."""
    systems_of: defaultdict[str, list[str]] = defaultdict(list)
    for system in sorted({*scores, *texts}):
        systems_of[texts.get(system, f"text of {system}")].append(system)
    for text, systems in systems_of.items():
        given = {scores[system] for system in systems if system in scores}
        if len(given) > 1:
            raise FormatError(path, None, f"{' '.join(systems)} have the same text but different scores")
        yield text, tuple(systems), next(iter(given), None)
