"""Speed of automatic metrics on the CoNLL-2014 systems, compared with plain programs.

The first part runs all registered metrics except chrF++, the grammar checker and edit-based metrics on 12
systems: statistics and all sentence and corpus scores from scratch, the scores again from the statistics, and
1,000 bootstrap replicates of each additive metric. The second part compares M2, GLEU and I-measure with plain
Python implementations of the official tools' algorithms, timed in the same process on a part of the sentences
of one system and extrapolated by their number. The third part scores one system by ERRANT from scratch, with
parses on disk and in memory, and with edits in memory (the case of another edit-based metric after ERRANT),
and compares the extraction of edits with the package `errant`, which aligns in Python.

Times are CPU times, so that other programs have little effect. Everything runs on one core, after a first
sentence that loads libraries and compiled code. Run as `python -m dev.benchmarks.metrics --data DIR`, DIR
holding `conll14/`; `--json` prints figures instead of tables.
"""

import argparse
import json
import os
import resource
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import errant

from analysis.analyses.metrics.metric_scores import read_evaluation
from analysis.reproduction.public_data.conll14 import read_ieval
from dev.benchmarks import plain_gleu, plain_imeasure, plain_m2
from metrics import (
    METRICS,
    AnyMetric,
    EvaluationSet,
    Need,
    Scored,
    bootstrap_scores,
    metric_from_text,
    score,
)
from metrics.edits.edit_sources import texts_to_parse
from metrics.edits.errant_edits import ErrantEdits
from metrics.english.parse_cache import ParseCache
from metrics.english.spacy_pipelines import SHIPPED, EnglishPipeline
from metrics.english.spacy_pipelines import load as load_pipeline

SYSTEMS = ("AMU", "CAMB", "CUUI", "IITB", "IPN", "NTHU", "PKU", "POST", "RAC", "SJTU", "UFC", "UMC")
PEER_SYSTEM = "AMU"
LEFT_OUT = {"chrf"}
REPLICATES = 1000
SEED = 1

Outputs = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class MetricTimes:
    """Seconds that one metric takes for all systems.

    Attributes:
        metric: name of the metric.
        scoring: statistics and all scores from scratch.
        again: all scores from statistics.
        bootstrap: `REPLICATES` replicates from statistics.
        additive: whether it is additive.
    """

    metric: str
    scoring: float
    again: float
    bootstrap: float
    additive: bool


@dataclass(frozen=True, slots=True)
class PeerTimes:
    """Seconds for one system by this program and by a plain implementation of the official algorithm.

    Attributes:
        metric: name of the metric.
        ours: seconds for all sentences.
        plain: seconds for all sentences, extrapolated.
        sentences: number of sentences that the plain program scored.
        of: number of sentences.
    """

    metric: str
    ours: float
    plain: float
    sentences: int
    of: int

    @property
    def ratio(self) -> float:
        """Speed-up of this program."""
        return self.plain / self.ours


def read_data(folder: Path) -> tuple[EvaluationSet, EvaluationSet, Outputs]:
    """References with gold edits, the references of the I-measure tool, and outputs by system."""
    conll = folder / "conll14"
    evaluation = read_evaluation(
        conll / "outputs" / "INPUT",
        {system: conll / "outputs" / system for system in SYSTEMS},
        references={name: conll / "references" / f"{name}.txt" for name in ("NUCLEA", "NUCLEB")},
        m2=[conll / "official-2014.combined.m2"],
        lenient=False,
        checker=None,
    )
    return evaluation.data, read_ieval(conll / "official-2014.combined.ieval.xml"), evaluation.outputs


def registered() -> list[AnyMetric]:
    """The metrics of the first part."""
    return [
        metric_from_text(name)
        for name, each in METRICS.items()
        if name not in LEFT_OUT and not each.needs & {Need.CHECKER, Need.PARSER}
    ]


def all_scores(scored: Scored) -> None:
    """Scores of every sentence and corpus."""
    for system in scored.picks:
        scored.sentences(system)
        scored.corpus(system)


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    """Result and CPU seconds of one call of a function."""
    began = time.process_time()
    result = function()
    return result, time.process_time() - began


def measure(metric: AnyMetric, data: EvaluationSet, outputs: Outputs) -> MetricTimes:
    """Score all systems from scratch."""
    warm_up(metric, data, outputs)
    scored, statistics = timed(lambda: score(metric, data, outputs))
    _, again = timed(lambda: all_scores(scored))
    _, bootstrap = timed(lambda: bootstrap_scores(scored, tuple(outputs), range(REPLICATES), SEED))
    return MetricTimes(metric.name, statistics + again, again, bootstrap, metric.additive)


def warm_up(metric: AnyMetric, data: EvaluationSet, outputs: Outputs) -> None:
    """Score the first sentences, to load libraries and compiled code."""
    first = slice(0, 20)
    small = EvaluationSet(
        data.sources[first],
        data.references[first] if data.references else None,
        data.annotations[first] if data.annotations else None,
    )
    scored = score(metric, small, {system: texts[first] for system, texts in outputs.items()})
    all_scores(scored)
    bootstrap_scores(scored, tuple(outputs), range(1), SEED)


def compare_m2(data: EvaluationSet, output: Sequence[str], step: int) -> PeerTimes:
    """M2 against `dev.benchmarks.plain_m2`."""
    part = range(0, len(output), step)

    def plain() -> None:
        for number in part:
            plain_m2.counts(data.sources[number], output[number], (data.annotations or ())[number])

    return compared("m2", data, output, plain, len(part))


def compare_gleu(data: EvaluationSet, output: Sequence[str], step: int) -> PeerTimes:
    """GLEU against `dev.benchmarks.plain_gleu`."""
    part = range(0, len(output), step)
    sources = [data.sources[number].split() for number in part]
    outputs = [output[number].split() for number in part]
    references = [[text.split() for text in (data.references or ())[number]] for number in part]
    return compared(
        "gleu", data, output, lambda: plain_gleu.corpus_gleu(sources, outputs, references), len(part)
    )


def compare_imeasure(data: EvaluationSet, output: Sequence[str], step: int) -> PeerTimes:
    """I-measure against `dev.benchmarks.plain_imeasure`."""
    part = range(0, len(output), step)

    def plain() -> None:
        for number in part:
            references = [text.split() for text in (data.references or ())[number]]
            plain_imeasure.best(data.sources[number].split(), output[number].split(), references)

    return compared("imeasure", data, output, plain, len(part))


def compared(
    name: str, data: EvaluationSet, output: Sequence[str], plain: Callable[[], object], sentences: int
) -> PeerTimes:
    """Time both: the best of three runs of ours, and the plain program once."""
    metric = metric_from_text(name)
    outputs = {PEER_SYSTEM: output}
    warm_up(metric, data, outputs)
    ours = min(timed(lambda: score(metric, data, outputs).corpus(PEER_SYSTEM))[1] for _ in range(3))
    _, once = timed(plain)
    return PeerTimes(name, ours, once * len(output) / sentences, sentences, len(output))


@dataclass(frozen=True, slots=True)
class ErrantTimes:
    """Sentences per second of one system by ERRANT, against two references.

    Attributes:
        parsing: texts parsed per second by the pipeline.
        cold: nothing parsed yet.
        disk: all parses on disk.
        memory: all parses in memory.
        kept: all edits in memory, as for another edit-based metric.
        edits: pairs per second for extracting edits from parses.
        package: the same by the package `errant`, from parses by spaCy.
    """

    parsing: float
    cold: float
    disk: float
    memory: float
    kept: float
    edits: float
    package: float

    @property
    def ratio(self) -> float:
        """Speed-up of extracting edits over the package."""
        return self.edits / self.package


def measure_errant(data: EvaluationSet, output: Sequence[str], step: int) -> ErrantTimes:
    """Score a system with one cache after the other, and extract edits of a part by the package too."""
    metric, sentences = metric_from_text("errant"), len(output)
    EnglishPipeline().parse_here(output[:20])
    with tempfile.TemporaryDirectory() as folder:
        cache = ParseCache(Path(folder) / "parses.sqlite3")
        pipeline, again, parsed = (EnglishPipeline(cache=cache) for _ in range(3))
        for each in (pipeline, again, parsed):
            each.signature  # noqa: B018 (loads it)

        def seconds(parser: EnglishPipeline) -> float:
            return timed(partial(score, metric, replace(data, parser=parser), {PEER_SYSTEM: output}))[1]

        cold, disk = seconds(pipeline), seconds(again)
        parsed.parse(list(texts_to_parse(data, [output], "auto")))
        memory, kept = seconds(parsed), seconds(parsed)
    texts = list(dict.fromkeys(output))
    _, parsing = timed(lambda: pipeline.parse_here(texts))
    pairs = [pair for pair in zip(data.sources, output, strict=True) if pair[0] != pair[1]][::step]
    edits, package = extraction_times(pipeline, pairs)
    return ErrantTimes(
        parsing=len(texts) / parsing,
        cold=sentences / cold,
        disk=sentences / disk,
        memory=sentences / memory,
        kept=sentences / kept,
        edits=len(pairs) / edits,
        package=len(pairs) / package,
    )


def extraction_times(pipeline: EnglishPipeline, pairs: Sequence[tuple[str, str]]) -> tuple[float, float]:
    """Seconds of this program and the package for extracting the edits of parsed pairs."""
    annotator = errant.load("en", load_pipeline(SHIPPED))
    documents = [(annotator.parse(source), annotator.parse(target)) for source, target in pairs]
    extractor = ErrantEdits()
    parses = [pipeline.parse(pair) for pair in pairs]

    def ours() -> None:
        for source, target in parses:
            extractor.edits(extractor.prepare(source), extractor.prepare(target))

    def package() -> None:
        for source, target in documents:
            annotator.annotate(source, target)

    ours()
    return timed(ours)[1], timed(package)[1]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.metrics",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("REFERENCE_DATA", "../shared/data"))
    parser.add_argument("--json", action="store_true", help="print figures instead of tables")
    arguments = parser.parse_args()
    if not (arguments.data / "conll14").is_dir():
        print(f"No data in {arguments.data}; name its folder by --data.")
        return
    use_one_core()
    data, ieval, outputs = read_data(arguments.data)
    times = [measure(metric, data, outputs) for metric in registered()]
    # Does not count the memory of the plain programs.
    mebibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    output = outputs[PEER_SYSTEM]
    peers = [
        compare_m2(data, output, 8),
        compare_gleu(data, output, 1),
        compare_imeasure(ieval, output, 40),
    ]
    edits = measure_errant(replace(data, annotations=None), output, 4)
    if arguments.json:
        print(json.dumps(as_json(times, peers, edits, mebibytes), indent=2))
    else:
        print_tables(times, peers, mebibytes)
        print_errant(edits)


def use_one_core() -> None:
    """Use one core."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def as_json(
    times: Sequence[MetricTimes], peers: Sequence[PeerTimes], edits: ErrantTimes, mebibytes: float
) -> dict[str, object]:
    """All figures by name."""
    return {
        "metrics": [asdict(each) for each in times],
        "scoring_seconds": sum(each.scoring for each in times),
        "again_seconds": sum(each.again for each in times),
        "peers": [asdict(each) | {"ratio": each.ratio} for each in peers],
        "errant": asdict(edits) | {"ratio": edits.ratio},
        "mebibytes": mebibytes,
    }


def print_tables(times: Sequence[MetricTimes], peers: Sequence[PeerTimes], mebibytes: float) -> None:
    """The figures in seconds."""
    print(f"{len(SYSTEMS)} systems, one core, seconds")
    print(f"{'metric':<14}{'scoring':>9}{'again':>9}{'bootstrap':>11}")
    for each in times:
        note = "" if each.additive else "  not additive"
        print(f"{each.metric:<14}{each.scoring:>9.3f}{each.again:>9.3f}{each.bootstrap:>11.3f}{note}")
    print(f"{'all':<14}{sum(each.scoring for each in times):>9.3f}{sum(each.again for each in times):>9.3f}")
    print(f"most memory: {mebibytes:,.0f} MiB\n")
    print(f"{PEER_SYSTEM}, one core, seconds")
    print(f"{'metric':<14}{'ours':>9}{'plain':>9}{'ratio':>9}")
    for peer in peers:
        timed_on = (
            f"  extrapolated from {peer.sentences} of {peer.of} sentences" if peer.sentences < peer.of else ""
        )
        print(f"{peer.metric:<14}{peer.ours:>9.3f}{peer.plain:>9.2f}{peer.ratio:>9.0f}{timed_on}")


def print_errant(edits: ErrantTimes) -> None:
    """Sentences per second."""
    print(f"\nERRANT, {PEER_SYSTEM}, two references, one core, sentences a second")
    for name, value in (
        ("texts parsed", edits.parsing),
        ("scored, nothing parsed", edits.cold),
        ("scored, parses on disk", edits.disk),
        ("scored, parses in memory", edits.memory),
        ("scored, edits in memory", edits.kept),
        ("pairs aligned and typed", edits.edits),
        ("... by the package", edits.package),
    ):
        print(f"{name:<26}{value:>9,.0f}")
    print(f"{'ratio':<26}{edits.ratio:>9.1f}")


if __name__ == "__main__":
    main()
