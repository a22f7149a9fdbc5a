"""Synthetic systems on GMEG: 675 of them by ten metrics, from statistics and by scoring their texts.

Six systems of a domain's development sentences are mixed in pairs. Statistics of their outputs are there
before. The peer scores the texts of some synthetic systems and is multiplied up to all; both must give the
same scores. Times are those of the clock, in two threads, since that is what somebody waits for.

Run as `python -m dev.benchmarks.hybrids --data DIR`, DIR holding `gmeg/`; `--json` prints figures instead of
a table.
"""

import argparse
import json
import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from analysis.analyses.metrics.metric_scores import read_evaluation
from analysis.reproduction.public_data.gmeg_data import REFERENCES, SYSTEMS, read_domain
from metrics import metric_from_text, score
from metrics.edits.edit_extraction import extracted_annotations
from metrics.english.spacy_pipelines import EnglishPipeline
from metrics.meta_evaluation import HumanScore, MetricsAndPeople, mixed_scores, people, scores_of_metric
from ranking import without_systems
from ranking.judgments.snapshot import system_names

METRICS = (
    "chrf",
    "errant:average=categories",
    "errant",
    "gleu",
    "chargleu",
    "imeasure",
    "m2",
    "m2:beta=0.2",
    "bleu",
    "green",
)
THREADS = 2
SCORED_DIRECTLY = 2


def measure(folder: Path, domain: str) -> dict[str, float]:
    """Seconds by what was done, and the ratio."""
    texts = folder / domain
    evaluation = read_evaluation(
        texts / "source",
        {system: texts / system for system in SYSTEMS},
        references={name: texts / name for name in REFERENCES},
        m2=[],
        lenient=False,
        checker=None,
    )
    parser = EnglishPipeline()
    data = replace(evaluation.data, annotations=extracted_annotations(evaluation.data, parser), parser=parser)
    scored = [score(metric_from_text(name), data, evaluation.outputs) for name in METRICS]
    snapshot = read_domain(folder, domain).snapshot
    others = set(system_names(snapshot)).difference(SYSTEMS)
    rated = without_systems(snapshot, others).dropna(subset=["score"])
    both = MetricsAndPeople(
        people(rated, len(data.sources)),
        tuple(scores_of_metric(name, each, SYSTEMS) for name, each in zip(METRICS, scored, strict=True)),
    )
    mixed_scores(both, HumanScore.MEAN, draws=1, replicates=0)
    start = time.perf_counter()
    mixed = mixed_scores(both, HumanScore.MEAN, replicates=0, threads=THREADS)
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    for number in range(SCORED_DIRECTLY):
        origins = mixed.hybrids.origins[number].tolist()
        kept = mixed.sentences.tolist()
        part = replace(
            data,
            sources=tuple(data.sources[place] for place in kept),
            references=tuple((data.references or ())[place] for place in kept),
            annotations=tuple((data.annotations or ())[place] for place in kept),
        )
        output = [evaluation.outputs[SYSTEMS[origins[place]]][place] for place in kept]
        for place, name in enumerate(METRICS):
            direct = score(metric_from_text(name), part, {"mixed": output}).corpus("mixed").value
            ours = mixed.metrics[place, len(SYSTEMS) + number]
            # GLEU draws references by the place of a sentence, which is another one here.
            assert "gleu" in name or np.isclose(direct or 0, ours, rtol=0, atol=1e-12), name
    peer = (time.perf_counter() - start) / SCORED_DIRECTLY * len(mixed.hybrids)
    return {"systems": len(mixed.hybrids), "statistics": seconds, "texts": peer, "ratio": peer / seconds}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.hybrids",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("REFERENCE_DATA", "../shared/data"))
    parser.add_argument("--domain", default="fce", help="fce or wiki")
    parser.add_argument("--json", action="store_true", help="print figures instead of a table")
    arguments = parser.parse_args()
    folder = arguments.data / "gmeg" / "dev"
    if not folder.is_dir():
        print(f"No data in {folder}; name the folder that holds gmeg/ by --data.")
        return
    figures = measure(folder, arguments.domain)
    if arguments.json:
        print(json.dumps(figures, indent=2))
        return
    print(f"{figures['systems']:.0f} synthetic systems by {len(METRICS)} metrics, in {THREADS} threads")
    print(f"  from statistics            {figures['statistics']:8.2f} s")
    print(f"  their texts, extrapolated  {figures['texts']:8.2f} s, ratio {figures['ratio']:.3g}")


if __name__ == "__main__":
    main()
