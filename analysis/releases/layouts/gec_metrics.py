"""SEEDA's folders (Kobayashi et al. 2024), as the meta-evaluation of gec-metrics reads them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr

from analysis.releases.layouts.judged import Judged, ReleasedTables
from ranking import expected_wins
from ranking.models.trueskill import trueskill_scores

SOURCES, REFERENCES = "INPUT", ("REF0", "REF1")


def write_gec_metrics(tables: ReleasedTables, folder: Path) -> str:
    """Write the folders, and return what there is to say about them.

    The sentences are those that were judged, and the systems those with an output for each of them.
    """
    judged_systems: set[str] = set()
    positions: set[int] = set()
    for judged in tables.judged():
        positions.add(judged.sentence)
        judged_systems.update(name for names, _ in judged.ranked for name in names)
    sentences = sorted(positions)
    whole = [
        system
        for system in tables.systems
        if system in judged_systems and all(tables.outputs[system][each] is not None for each in sentences)
    ]
    top = folder / "SEEDA"
    subset = {system: [tables.outputs[system][each] or "" for each in sentences] for system in whole}
    sources = [tables.sentences[each]["source"] or "" for each in sentences]
    subset.setdefault(SOURCES, sources)
    of_annotators = list(tables.references.values())
    for name, number in zip(REFERENCES, (0, 1), strict=True):
        if of_annotators:
            texts = of_annotators[min(number, len(of_annotators) - 1)]
            # A sentence without a correction is left as it is.
            own = [texts[each] for each in sentences]
            subset[name] = [
                source if text is None else text for text, source in zip(own, sources, strict=True)
            ]
    for name, lines in subset.items():
        _write(top / "outputs" / "subset" / f"{name}.txt", lines)
    counts = tables.compared().counts
    wins = {row.system: row.score for row in expected_wins(counts).scores}
    skills = dict(zip(counts.systems, trueskill_scores(counts).tolist(), strict=True))
    for kind, scores in (("EW", wins), ("TS", skills)):
        for half in ("edit", "sent"):
            _write(top / "scores" / "human" / f"{kind}_{half}.txt", [_number(scores[each]) for each in whole])
    for half in ("edit", "sent"):
        path = top / "data" / f"judgments_{half}.xml"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(_xml(tables.judged()))
    left_out = sorted(judged_systems.difference(whole))
    return _about(whole, left_out, has_references=bool(of_annotators), sentences=len(sentences))


def _about(whole: Sequence[str], left_out: Sequence[str], *, has_references: bool, sentences: int) -> str:
    models = ", ".join(f'"{name}"' for name in whole)
    said = [
        f"`gec-metrics/` holds the {sentences:,} judged sentences in SEEDA's folders, as the meta-evaluation "
        f"of gec-metrics reads them. Set `MetaEvalSEEDA.MODELS = [{models}]`, and evaluate with "
        "`system: all`. `EW_*.txt` are ExpectedWins and `TS_*.txt` TrueSkill, in this order. There is one "
        "kind of judgment, so the files of both kinds are equal. Ranks follow from scores where people gave "
        "scores. `src-id` counts from 1.",
    ]
    if not has_references:
        said.append("There are no references, which the reader needs as REF0.txt and REF1.txt.")
    if left_out:
        said.append(
            f"Systems without an output for each judged sentence are left out: {', '.join(left_out)}."
        )
    return " ".join(said)


def _xml(all_judged: Iterator[Judged]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<appraise-results>\n<error-correction-ranking-result>\n'
    for judged in all_judged:
        user = quoteattr(judged.annotator)
        yield f'  <ranking-item src-id="{judged.sentence + 1}" id="{judged.item}" user={user}>\n'
        for systems, rank in judged.ranked:
            yield f'    <translation system={quoteattr(" ".join(systems))} rank="{rank}"/>\n'
        yield "  </ranking-item>\n"
    yield "</error-correction-ranking-result>\n</appraise-results>\n"


def _number(score: float | None) -> str:
    return "nan" if score is None else repr(score)


def _write(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
