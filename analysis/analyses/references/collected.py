"""Inputs of analyses that people wrote or judged to grow references."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass

from analysis.analyses.analysis_inputs import DIGITS_OF_DIGEST
from analysis.analyses.corpus_inputs import CorpusTexts, corpus_texts
from assay import __version__
from formats import Reference, SentenceRecord
from formats.digests import content_digest
from metrics import EvaluationSet, Parser
from metrics.references import CorrectedSentence, GrownReference, JudgedOutput, LeftOutSentence


@dataclass(frozen=True, slots=True, eq=False)
class WrittenCorrections:
    """The corrections that people wrote in a campaign.

    Attributes:
        sentences: with at least one correction each; annotators by pseudonym.
        left_out: sentences that nobody could correct.
        answers: number of answers that count.
        digest: SHA-256 of the above, in hexadecimal.
        parser: an English pipeline, loaded on first use; None if the texts are not English.
    """

    sentences: tuple[CorrectedSentence, ...]
    left_out: tuple[LeftOutSentence, ...]
    answers: int
    digest: str
    parser: Parser | None

    def signature(self, what: str) -> str:
        """Signature of a computation on these corrections; equal signatures mean equal numbers."""
        return f"{what}|corrections:{self.digest[:DIGITS_OF_DIGEST]}|assay:{__version__}"

    @property
    def texts(self) -> CorpusTexts:
        """The sentences with each correction as a reference, numbered in the order of annotators."""
        return corpus_texts(
            [
                SentenceRecord(
                    sentence.source,
                    {},
                    tuple(
                        Reference(f"{number:04}", text, None)
                        for number, (_, text) in enumerate(sentence.corrections)
                    ),
                    "",
                    "",
                )
                for sentence in self.sentences
            ],
            parser=self.parser,
        )


def written_corrections(
    sentences: tuple[CorrectedSentence, ...],
    left_out: tuple[LeftOutSentence, ...],
    answers: int,
    *,
    parser: Parser | None,
) -> WrittenCorrections:
    """The inputs of an analysis of these corrections."""
    digest = content_digest([*map(astuple, sentences), *map(astuple, left_out), answers])
    return WrittenCorrections(sentences, left_out, answers, digest, parser)


@dataclass(frozen=True, slots=True)
class JudgedCorrection:
    """An output that people judged.

    Attributes:
        judged: their verdicts.
        source: the sentence.
        text: the output.
        frequency: how many people or systems gave it; None if nobody among those who are counted did.
    """

    judged: JudgedOutput
    source: str
    text: str
    frequency: int | None


@dataclass(frozen=True, slots=True, eq=False)
class ValidityJudgments:
    """Judgments of whether outputs are valid.

    Attributes:
        outputs: the judged outputs, by sentence.
        counted: whose corrections give the frequencies, in words.
        digest: SHA-256 of the above, in hexadecimal.
    """

    outputs: tuple[JudgedCorrection, ...]
    counted: str
    digest: str

    def signature(self, what: str) -> str:
        """Signature of a computation on these judgments; equal signatures mean equal numbers."""
        return f"{what}|judged:{self.digest[:DIGITS_OF_DIGEST]}|assay:{__version__}"


def validity_judgments(outputs: tuple[JudgedCorrection, ...], *, counted: str) -> ValidityJudgments:
    """The inputs of an analysis of these judgments."""
    return ValidityJudgments(outputs, counted, content_digest([counted, *map(astuple, outputs)]))


@dataclass(frozen=True, slots=True, eq=False)
class GrowingReferences:
    """A corpus whose references grow by outputs of systems.

    Attributes:
        data: the sentences with their references before, and an English pipeline if the texts are English.
        texts: the texts of these references, by sentence.
        grown: the references that were outputs of systems.
        systems: by name, the n outputs of each system; None for a sentence without one.
        digest: SHA-256 of the above, in hexadecimal.
    """

    data: EvaluationSet
    texts: tuple[tuple[str, ...], ...]
    grown: tuple[GrownReference, ...]
    systems: Mapping[str, tuple[str | None, ...]]
    digest: str

    def signature(self, what: str) -> str:
        """Signature of a computation on these texts; equal signatures mean equal numbers."""
        return f"{what}|texts:{self.digest[:DIGITS_OF_DIGEST]}|assay:{__version__}"


def growing_references(
    data: EvaluationSet,
    texts: tuple[tuple[str, ...], ...],
    grown: tuple[GrownReference, ...],
    systems: Mapping[str, tuple[str | None, ...]],
) -> GrowingReferences:
    """The inputs of an analysis of these references."""
    edits = [[astuple(each) for each in sentence] for sentence in data.annotations or ()]
    content = [data.sources, texts, edits, [astuple(each) for each in grown], systems]
    return GrowingReferences(data, texts, grown, systems, content_digest(content))
