"""The judgment sets in a folder of public data: SEEDA's sentences, GJG15 and GMEG."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from analysis.analyses.judgment_inputs import Judgments, LeftOut, judgments
from analysis.analyses.metrics.metric_scores import Evaluation
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.judgment_sets.judgment_set import JudgmentSet
from analysis.reproduction.public_data import conll14, gmeg_data, seeda_data
from analysis.reproduction.public_data.gjg15_data import Gjg15
from analysis.reproduction.public_data.gmeg_data import Split
from analysis.reproduction.public_data.seeda_data import Seeda
from annotate.scores.metric_setup import english_pipeline
from core.arrays import FloatArray
from core.later import pd
from metrics.edits.edit_extraction import extracted_annotations
from metrics.meta_evaluation import MetricScores, scores_of_systems
from ranking.judgments.snapshot import system_names

RELEASED = " (released)"
"""Ends the name of a metric whose scores came with the judgments."""


def public_sets(folder: Path) -> list[JudgmentSet]:
    """The judgment sets in a folder that holds the data of papers as `reproduce` reads them.

    A set is there if the file with its judgments is. Files are read when a set is used, which raises
    `FormatError` for what is missing or malformed.
    """
    return [*_of_seeda(folder), *_of_gjg15(folder), *_of_gmeg(folder)]


def _of_seeda(folder: Path) -> Iterator[JudgmentSet]:
    if not (folder / "seeda" / "data" / "judgments_sent.xml").is_file():
        return
    data = Seeda(folder)
    for name, systems in seeda_data.SETS.items():
        yield JudgmentSet(
            name=f"seeda/{name}",
            text_set="seeda",
            about=f"SEEDA (Kobayashi et al. 2024), whole sentences, {len(systems)} systems",
            read=partial(_read_seeda, data, systems),
            compared=("m2", "gleu-gec-metrics"),
            released=partial(_released_by_seeda, data, systems),
            human=partial(_human_of_seeda, data, systems),
        )


def _read_seeda(data: Seeda, systems: Collection[str]) -> tuple[Judgments, Evaluation]:
    gold = data.judged_gold
    references = data.judged_references.references
    outputs = {system: data.judged_outputs[system] for system in sorted(systems)}
    return _of(data.snapshot, systems), Evaluation(replace(gold, references=references), outputs, ())


def _released_by_seeda(data: Seeda, systems: Collection[str]) -> list[MetricScores]:
    order = sorted(systems)
    return [
        scores_of_systems(f"{metric}{RELEASED}", np.array([scores[system] for system in order]))
        for metric, scores in data.released_metrics.items()
    ]


def _human_of_seeda(data: Seeda, systems: Collection[str]) -> dict[str, FloatArray]:
    places = [place for place, system in enumerate(seeda_data.SYSTEMS) if system in systems]
    return {f"{method} as released": scores[places] for method, scores in data.human.items()}


def _of_gjg15(folder: Path) -> Iterator[JudgmentSet]:
    if not (folder / "gjg15" / "judgments.xml").is_file():
        return
    data = Gjg15(folder)
    without = [system for system in conll14.SYSTEMS if system != "INPUT"]
    for name, systems in (("gjg15", without), ("gjg15/+INPUT", conll14.SYSTEMS)):
        yield JudgmentSet(
            name=name,
            text_set="gjg15",
            about=f"GJG15 (Grundkiewicz et al. 2015), {len(systems)} systems",
            read=partial(_read_gjg15, data, systems),
            compared=("m2", "gleu"),
            released=partial(_released_by_gjg15, data, systems),
        )


def _read_gjg15(data: Gjg15, systems: Sequence[str]) -> tuple[Judgments, Evaluation]:
    texts = replace(data.gold["Combined"], references=data.references.references)
    outputs = {system: data.outputs[system] for system in sorted(systems)}
    return _of(data.snapshot, systems), Evaluation(texts, outputs, ())


def _released_by_gjg15(data: Gjg15, systems: Sequence[str]) -> list[MetricScores]:
    order = sorted(systems)
    return [
        scores_of_systems(f"{metric}{RELEASED}", np.array([scores[system] for system in order]))
        for metric, scores in data.released.others.items()
    ]


def _of_gmeg(folder: Path) -> Iterator[JudgmentSet]:
    split = Split(folder / "gmeg" / "dev", lambda outputs: None)
    for domain in gmeg_data.DOMAINS:
        there = (split.folder / f"{domain}-segment-scores.csv", split.folder / domain / "source")
        if all(path.is_file() for path in there):
            yield JudgmentSet(
                name=f"gmeg/{domain}",
                text_set=f"gmeg/{domain}",
                about=f"GMEG (Napoles et al. 2019), development sentences of {domain}, mean scores",
                read=partial(_read_gmeg, split, domain),
                gold=_with_extracted_edits,
                compared=("gleu", "chrf"),
            )


def _read_gmeg(split: Split, domain: str) -> tuple[Judgments, Evaluation]:
    return _of(split.judged(domain), gmeg_data.SYSTEMS), split.evaluation(domain)


def _with_extracted_edits(evaluation: Evaluation) -> Evaluation:
    """With the edits from sources to references that ERRANT extracts, as GMEG has them."""
    annotations = extracted_annotations(evaluation.data, english_pipeline())
    return replace(evaluation, data=replace(evaluation.data, annotations=annotations))


def _of(snapshot: pd.DataFrame, systems: Collection[str]) -> Judgments:
    """The judgments of these systems."""
    others = set(system_names(snapshot)).difference(systems)
    return judgments(snapshot, METRICS_PEOPLE.columns, left_out=LeftOut(tuple(sorted(others))))
