"""The public data of "Inherent Biases in Reference-based Evaluation" as this project's input."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from analysis.analyses.corpus_inputs import CorpusCorrections, corpus_corrections, gold_edits
from analysis.reproduction.paper import PaperData
from annotate.scores.metric_setup import english_pipeline
from formats import FormatError, read_m2, read_parallel
from formats.collected_answers import CollectedAnswer, accepted, by_sentence, read_collected_answers
from formats.text.lines import read_lines
from metrics import Annotation, EvaluationSet, Scored, metric_from_text, score
from metrics.meta_evaluation.coverage import AnsweredSentence, CorrectionDistribution
from metrics.meta_evaluation.coverage.sampled import PERFECT

SOURCE = "INPUT"
F_REFERENCES = (1, 2, 3, 5, 10)
"""Numbers of references for which a perfect corrector's output is released."""

M2 = "m2:ignore-whitespace-casing=yes"
BATCHES = ("2612793", "2626033", "2634540")


@dataclass(eq=False)
class Coverage(PaperData):
    """The released data of the paper, from `corrections/`, and the outputs of CoNLL-2014.

    All properties raise `FormatError` for a file that is missing or is not what it should be.
    """

    @cached_property
    def histograms(self) -> Sequence[Sequence[int]]:
        """How often corrections were given, by sentence."""
        paths = self._distribution_files("exact")
        return [_histogram(path.with_name(path.name.replace("output", "input"))) for path in paths]

    @cached_property
    def exact(self) -> Sequence[CorrectionDistribution]:
        """The distributions that were estimated from them."""
        return [_distribution(path) for path in self._distribution_files("exact")]

    @cached_property
    def index(self) -> Sequence[CorrectionDistribution]:
        """Distributions of corrections in which corrections of the same words count as equal."""
        return [_distribution(path) for path in self._distribution_files("index")]

    @cached_property
    def corrections(self) -> Sequence[AnsweredSentence]:
        """The collected corrections."""
        answers = read_collected_answers(self.folder / "corrections" / "gec.tsv")
        return _answered(each for each in answers if each.details.get("batch") in BATCHES)

    @cached_property
    def simplifications(self) -> Sequence[AnsweredSentence]:
        """The collected simplifications."""
        return _answered(read_collected_answers(self.folder / "corrections" / "simplification.tsv"))

    def perfect(self, references: int) -> tuple[EvaluationSet, Sequence[str]]:
        """A test set with so many references, and the output of a perfect corrector.

        The spans of the released samples of references sometimes leave their sentence. Who has no edits of a
        sentence leaves it as it is.
        """
        folder = self.folder / "corrections" / "perfect-corrector"
        sentences = read_m2(folder / f"{references}.m2", lenient=True).sentences
        annotations = tuple(
            tuple(Annotation(each.annotator, gold_edits(each)) for each in sentence.references)
            for sentence in sentences
        )
        sources = tuple(" ".join(sentence.tokens) for sentence in sentences)
        texts = tuple(
            (
                *(each.text for each in sentence.references),
                *[source] * (references - len(sentence.references)),
            )
            for source, sentence in zip(sources, sentences, strict=True)
        )
        data = EvaluationSet(sources, texts, annotations)
        return data, [text for _, text in read_lines(folder / f"{references}.output.txt")]

    def scored_perfect(self, references: int) -> Scored:
        """The output of the perfect corrector by M2 against so many references."""
        if references not in self._scored:
            test_set, output = self.perfect(references)
            scored = score(metric_from_text(M2), test_set, {PERFECT: output}, progress=self.progress)
            self._scored[references] = scored
        return self._scored[references]

    @cached_property
    def _scored(self) -> dict[int, Scored]:
        return {}

    @cached_property
    def gold(self) -> EvaluationSet:
        """The edits of both official annotators."""
        sentences = read_m2(self.folder / "conll14" / "official-2014.combined.m2", lenient=True).sentences
        return EvaluationSet(
            tuple(" ".join(sentence.tokens) for sentence in sentences),
            None,
            tuple(
                tuple(Annotation(each.annotator, gold_edits(each)) for each in sentence.references)
                for sentence in sentences
            ),
        )

    @cached_property
    def outputs(self) -> Mapping[str, Sequence[str]]:
        """Texts by system of CoNLL-2014, without the input."""
        folder = self.folder / "conll14" / "outputs"
        return {
            path.name: [text for _, text in read_lines(path)]
            for path in sorted(folder.iterdir())
            if path.name != SOURCE
        }

    @cached_property
    def correctors(self) -> CorpusCorrections:
        """The systems of CoNLL-2014 and ten annotators."""
        folder = self.folder / "conll14" / "references" / "bryant-ng-2015"
        return self._corrections({f"BN{number}": folder / f"BN{number}.txt" for number in range(1, 11)})

    @cached_property
    def nucle(self) -> CorpusCorrections:
        """The systems of CoNLL-2014 and its two official annotators."""
        folder = self.folder / "conll14" / "references"
        return self._corrections({name: folder / f"NUCLE{name}.txt" for name in "AB"})

    def _corrections(self, people: Mapping[str, Path]) -> CorpusCorrections:
        outputs = self.folder / "conll14" / "outputs"
        read = read_parallel(
            outputs / SOURCE,
            {path.name: path for path in sorted(outputs.iterdir()) if path.name != SOURCE},
            references=people,
        )
        return corpus_corrections(read.sentences, roles={}, parser=english_pipeline())

    def _distribution_files(self, match: str) -> list[Path]:
        folder = self.folder / "corrections" / "unseenest"
        files = sorted(folder.glob(f"*_{match}_output_hist.txt"))
        if not files:
            raise FormatError(folder, None, f"no file *_{match}_output_hist.txt")
        return files


def counted(references: int) -> str:
    """The number of references in words."""
    return f"{references} reference{'' if references == 1 else 's'}"


def _answered(answers: Iterable[CollectedAnswer]) -> list[AnsweredSentence]:
    return [AnsweredSentence(*each) for each in by_sentence(accepted(answers)).items()]


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
