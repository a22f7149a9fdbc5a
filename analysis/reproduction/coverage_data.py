"""The public data of "Inherent Biases in Reference-based Evaluation" as this project's input."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import numpy as np

from analysis.analyses.inputs import CorpusCorrections, corpus_corrections, gold_edits
from analysis.reproduction.cells import Table
from analysis.reproduction.coverage import CoverageData, reproduce
from analysis.reproduction.published_coverage import SARI_REFERENCES, F
from annotate.storage.english import english_pipeline
from formats import FormatError, read_m2, read_parallel
from formats.collected_answers import CollectedAnswer, accepted, by_sentence, read_collected_answers
from formats.lines import read_lines
from metrics import Annotation, EvaluationSet
from metrics.scoring import Progress
from metrics.validation.coverage import AnsweredSentence, CorrectionDistribution

SOURCE = "INPUT"
BATCHES = ("2612793", "2626033", "2634540")
OUTPUTS = {"F0.5": 1312 * len(F), "SARI": 2 * 1312 * (len(SARI_REFERENCES) + 1)}
"""By table the number of outputs that it scores."""


def reproduce_from(folder: Path, *, tables: Collection[str], progress: Progress) -> dict[str, Table]:
    """Tables from a folder that holds `corrections/` and `conll14/`.

    Raises:
        FormatError: a file is missing or is not what it should be.
    """
    return reproduce(read_coverage(folder), tables=tables, progress=progress)


def read_coverage(folder: Path) -> CoverageData:
    """All that the tables need.

    Raises:
        FormatError: a file is missing or is not what it should be.
    """
    released, conll = folder / "corrections", folder / "conll14"
    people = conll / "references" / "bryant-ng-2015"
    exact = _distribution_files(released / "unseenest", "exact")
    corrections = read_collected_answers(released / "gec.tsv")
    simplifications = read_collected_answers(released / "simplification.tsv")
    return CoverageData(
        histograms=[_histogram(path.with_name(path.name.replace("output", "input"))) for path in exact],
        exact=[_distribution(path) for path in exact],
        index=[_distribution(path) for path in _distribution_files(released / "unseenest", "index")],
        corrections=_answered(each for each in corrections if each.details.get("batch") in BATCHES),
        simplifications=_answered(simplifications),
        perfect={number: _perfect(released / "perfect-corrector", number) for number in F},
        correctors=_correctors(conll, {f"BN{number}": people / f"BN{number}.txt" for number in range(1, 11)}),
        nucle=_correctors(conll, {name: conll / "references" / f"NUCLE{name}.txt" for name in "AB"}),
    )


def _correctors(folder: Path, people: Mapping[str, Path]) -> CorpusCorrections:
    read = read_parallel(
        folder / "outputs" / SOURCE,
        {path.name: path for path in sorted((folder / "outputs").iterdir()) if path.name != SOURCE},
        references=people,
    )
    return corpus_corrections(read.sentences, roles={}, parser=english_pipeline())


def _texts(path: Path) -> list[str]:
    return [text for _, text in read_lines(path)]


def _answered(answers: Iterable[CollectedAnswer]) -> list[AnsweredSentence]:
    return [AnsweredSentence(*each) for each in by_sentence(accepted(answers)).items()]


def _distribution_files(folder: Path, match: str) -> list[Path]:
    files = sorted(folder.glob(f"*_{match}_output_hist.txt"))
    if not files:
        raise FormatError(folder, None, f"no file *_{match}_output_hist.txt")
    return files


def _distribution(path: Path) -> CorrectionDistribution:
    _, *lines = read_lines(path)
    rows = []
    for place, line in lines:
        try:
            frequency, count = map(float, line.split())
        except ValueError:
            raise place.fault("expected a frequency and a number of variants") from None
        rows.append((frequency, count))
    frequencies, counts = np.array(rows).reshape(-1, 2).T
    return CorrectionDistribution(frequencies, counts)


def _histogram(path: Path) -> list[int]:
    numbers = []
    for place, line in read_lines(path):
        try:
            numbers.append(int(float(line)))
        except ValueError:
            raise place.fault("expected a number of corrections") from None
    return numbers


def _perfect(folder: Path, references: int) -> tuple[EvaluationSet, list[str]]:
    """A released sample of references, whose spans sometimes leave their sentence, and the output."""
    sentences = read_m2(folder / f"{references}.m2", lenient=True).sentences
    annotations = tuple(
        tuple(Annotation(each.annotator, gold_edits(each)) for each in sentence.references)
        for sentence in sentences
    )
    data = EvaluationSet(tuple(" ".join(sentence.tokens) for sentence in sentences), None, annotations)
    return data, _texts(folder / f"{references}.output.txt")
