"""The folders of a test set of mt-metrics-eval: texts, and human scores of segments and systems."""

from collections.abc import Iterable, Sequence
from math import isnan
from pathlib import Path

from analysis.releases.layouts.judged import ReleasedTables
from ranking import expected_wins

NONE = "None"


def write_mt_metrics_eval(tables: ReleasedTables, folder: Path, language: str) -> str:
    """Write the folders, and return what there is to say about them."""
    code = language.partition("-")[0].lower() or "und"
    pair = f"{code}-{code}"
    compared = tables.compared()
    sentences = tables.sentences
    _write(folder / "sources" / f"{pair}.txt", [each["source"] or "" for each in sentences])
    _write(folder / "documents" / f"{pair}.docs", _documents(tables))
    for number, texts in tables.references.items():
        _write(folder / "references" / f"{pair}.ref{number}.txt", [text or "" for text in texts])
    for system, texts in tables.outputs.items():
        _write(folder / "system-outputs" / pair / f"{system}.txt", [text or "" for text in texts])
    scores = {row.system: row.score for row in expected_wins(compared.counts).scores}
    human = folder / "human-scores"
    _write(
        human / f"{pair}.wins.sys.score", [f"{system}\t{_shown(scores[system])}" for system in tables.systems]
    )
    segments = (
        f"{system}\t{_shown(score)}"
        for place, system in enumerate(tables.systems)
        for score in compared.by_sentence[:, place].tolist()
    )
    _write(human / f"{pair}.wins.seg.score", segments)
    return (
        f"`mt-metrics-eval/` is a test set with the language pair `{pair}`, as mt-metrics-eval reads it: "
        "copy it below its data folder under the name of a test set. Human scores are named `wins`: those of "
        "systems are ExpectedWins, those of segments the mean over judgments of the score or, without "
        "scores, of the share of other systems that the system beat, with ties as half. Higher is better. "
        "Missing outputs and references are empty lines."
    )


def _documents(tables: ReleasedTables) -> list[str]:
    """Domain and document of each sentence; a document that comes back later has a number."""
    lines: list[str] = []
    seen: set[str] = set()
    last = named = ""
    for number, row in enumerate(tables.sentences, start=1):
        document = _word(row["document"]) if row["document"] else f"sentence-{number}"
        domain = _word(row["domain"]) if row["domain"] else "all"
        if f"{domain}\t{document}" != last:
            last = f"{domain}\t{document}"
            named = document if document not in seen else f"{document}-{number}"
            seen.add(named)
        lines.append(f"{domain}\t{named}")
    return lines


def _word(name: str) -> str:
    return "_".join(name.split())


def _shown(score: float | None) -> str:
    return NONE if score is None or isnan(score) else repr(score)


def _write(path: Path, lines: Iterable[str] | Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
