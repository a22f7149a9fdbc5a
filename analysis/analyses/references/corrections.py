"""Corrections that people wrote, by frequency: how many are distinct, and how far their edits agree."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.references.collected import WrittenCorrections
from analysis.analyses.references.reference_coverage import (
    SHOWN,
    CoverageParameters,
    ReferenceCoverage,
    cover,
)
from core.columns import Amount, Annotator, Count, Number, Text
from core.names import Naming
from core.parameters import parameter
from core.progress import Progress
from core.results import Computed, Section
from core.tables import Table
from core.wording import counted
from metrics import Parser
from metrics.references import (
    CorrectedSentence,
    DistinctCorrection,
    LeftOutSentence,
    PersonAgreement,
    distinct_corrections,
    edit_agreement,
    edits_between,
)

SENTENCES_AT_ONCE = 1000
"""Whose texts are parsed, or their parses read, together."""


@dataclass(frozen=True, slots=True)
class CorrectionsParameters:
    """Parameters of the corrections of a campaign. Attributes: see each parameter's help."""

    edits: str = parameter(
        "errant",
        label="Edits",
        help="Edits compared between people: those of ERRANT for English, or of the words.",
        choices=("errant", "words"),
        labels={"errant": "by ERRANT", "words": "by words"},
    )


@dataclass(frozen=True, slots=True)
class SentenceCorrections:
    """The corrections of a sentence.

    Attributes:
        places: positions of the sentences that it consists of, counted from 0.
        source: the sentence.
        corrections: number of corrections.
        distinct: identical ones as one, the most frequent first.
    """

    places: tuple[int, ...]
    source: str
    corrections: int
    distinct: tuple[DistinctCorrection, ...]


@dataclass(frozen=True, slots=True)
class CorrectionsResult:
    """The corrections of a campaign.

    Attributes:
        signature: computation and corrections; equal signatures mean equal numbers.
        answers: number of answers that count.
        sentences: the corrected ones, in order.
        left_out: sentences that everyone called a fragment or not annotatable.
        people: agreement of each annotator's edits with the others'.
        edits: whose edits were compared, *ERRANT* or *words*.
    """

    signature: str
    answers: int
    sentences: tuple[SentenceCorrections, ...]
    left_out: tuple[LeftOutSentence, ...]
    people: tuple[PersonAgreement, ...]
    edits: str

    @property
    def joined(self) -> int:
        """Number of sentences that consist of several."""
        return sum(len(sentence.places) > 1 for sentence in self.sentences)

    @property
    def mean_corrections(self) -> float:
        """Corrections of a sentence."""
        return sum(each.corrections for each in self.sentences) / max(1, len(self.sentences))

    @property
    def mean_distinct(self) -> float:
        """Distinct corrections of a sentence."""
        return sum(len(each.distinct) for each in self.sentences) / max(1, len(self.sentences))


def corrections(
    written: WrittenCorrections, parameters: CorrectionsParameters, progress: Progress
) -> CorrectionsResult:
    """Count the corrections and compare the edits of each person with those of the others."""
    parser = written.parser if parameters.edits == "errant" else None
    if parser is not None:
        progress.begin("Parsing the corrections", total=len(texts := _texts(written.sentences)))
        parser.parse_ahead(texts, progress=progress.advance)
    return CorrectionsResult(
        signature=written.signature(stated("corrections", parameters)),
        answers=written.answers,
        sentences=tuple(map(_of, written.sentences)),
        left_out=written.left_out,
        people=edit_agreement(_parsed(written.sentences, parser, progress), edits_between(parser)),
        edits="words" if parser is None else "ERRANT",
    )


def _of(sentence: CorrectedSentence) -> SentenceCorrections:
    return SentenceCorrections(
        sentence.places, sentence.source, len(sentence.corrections), distinct_corrections(sentence)
    )


def _parsed(
    sentences: Sequence[CorrectedSentence], parser: Parser | None, progress: Progress
) -> Iterator[CorrectedSentence]:
    """The sentences in turn, with the parses of many together brought from the file into memory."""
    progress.begin("Comparing edits", total=len(sentences))
    for begin in range(0, len(sentences), SENTENCES_AT_ONCE):
        some = sentences[begin : begin + SENTENCES_AT_ONCE]
        if parser is not None:
            parser.parse(_texts(some))
        for sentence in some:
            yield sentence
            progress.advance(1)


def _texts(sentences: Iterable[CorrectedSentence]) -> list[str]:
    """The distinct texts, the sources among them."""
    texts = (text for each in sentences for text in (each.source, *(text for _, text in each.corrections)))
    return [*dict.fromkeys(texts)]


def _amounts(computed: Computed) -> list[tuple[str, str]]:
    result: CorrectionsResult = computed.result
    return [
        ("Answers", f"{result.answers:,}"),
        ("Sentences", f"{len(result.sentences):,}"),
        ("Joined sentences", f"{result.joined:,}"),
        ("Left out", f"{len(result.left_out):,}"),
        ("Corrections of a sentence", f"{result.mean_corrections:.3f}"),
        ("Distinct corrections of a sentence", f"{result.mean_distinct:.3f}"),
    ]


AMOUNTS = Table(
    rows=_amounts,
    columns=(Text("", "Measure", itemgetter(0)), Amount("", "Value", itemgetter(1))),
    caption="Corrections",
    in_files=False,
)

AGREEMENT = Table(
    rows=lambda computed: computed.result.people,
    columns=(
        Annotator("annotator", "Annotator"),
        Count("sentences", "Sentences"),
        Number("precision", "P", attrgetter("each.precision")),
        Number("recall", "R", attrgetter("each.recall")),
        Number("f", "F0.5", attrgetter("each.f")),
        Number("f_with_closest", "F0.5 with the closest", attrgetter("best.f")),
    ),
    order=lambda person, naming: naming.place(person.annotator),
    caption=lambda computed: f"Agreement of edits ({computed.result.edits})",
    note="P, R and F0.5: summed over all other annotators. With the closest: for each sentence, against the "
    "annotator who agrees best; this rises with the number of people.",
)


def headline(computed: Computed, naming: Naming) -> str:
    """How many corrections there are, and how many of them differ."""
    result: CorrectionsResult = computed.result
    sentences = len(result.sentences)
    if not sentences:
        return "No correction has been written yet"
    return (
        f"{counted(sentences, 'sentence')} {'has' if sentences == 1 else 'have'} "
        f"{result.mean_corrections:.1f} corrections on average, {result.mean_distinct:.1f} of them distinct"
    )


EXPLANATION = """
Identical corrections are one, with the number of people who gave it. A sentence that anyone marks for merging
is joined with the next one of its document; a person who did not correct both parts gives no correction of
the whole. Sentences that everyone calls a fragment or not annotatable are left out. Answers of excluded
annotators and surplus answers do not count.
"""

CORRECTIONS = register(
    Analysis(
        name="corrections",
        title="Corrections",
        group=Group.REFERENCES,
        question="Which corrections do people write?",
        defined_in="references.md",
        help="The corrections that annotators wrote, by frequency, and how far their edits agree.",
        parameters=CorrectionsParameters,
        result=CorrectionsResult,
        inputs=WrittenCorrections,
        compute=corrections,
        tables={"corrections": AMOUNTS, "agreement": AGREEMENT},
        headline=headline,
        sections=(
            Section(
                title="Agreement of edits",
                text=lambda computed, naming: (
                    "The edits of each annotator against those of the others who corrected the same sentence "
                    f"({computed.result.edits})."
                ),
                tables=("agreement",),
                is_folded=True,
            ),
        ),
        explanation=EXPLANATION,
        at_once=False,
        template="analysis/corrections.html",
        tabs="corrections",
        label="Corrections",
        place=1,
    )
)


def _cover(
    written: WrittenCorrections, parameters: CoverageParameters, progress: Progress
) -> ReferenceCoverage:
    return cover(written.texts, parameters, progress)


CORRECTIONS_COVERAGE = register(
    Analysis(
        name="corrections-coverage",
        title="Coverage of corrections",
        group=Group.REFERENCES,
        question="How many of all valid corrections did people write?",
        defined_in="coverage.md",
        help="How many valid corrections sentences have, how many of them the corrections of this campaign "
        "cover, and how many references would be needed.",
        parameters=CoverageParameters,
        result=ReferenceCoverage,
        inputs=WrittenCorrections,
        compute=_cover,
        at_once=False,
        tabs="corrections",
        place=2,
        **SHOWN,
    )
)
