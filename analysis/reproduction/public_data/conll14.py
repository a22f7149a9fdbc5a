"""The public data of CoNLL-2014, with the scores of automatic metrics that GJG15 released."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, nan
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import parse

from analysis.analyses.metrics.metric_scores import Evaluation, read_evaluation
from analysis.reproduction.paper import PaperData
from formats import FormatError
from formats.text.checks import Place, quoted
from formats.text.lines import read_lines
from metrics import EvaluationSet

SYSTEMS = ("CAMB", "CUUI", "AMU", "POST", "NTHU", "RAC", "UMC", "PKU", "SJTU", "UFC", "IPN", "IITB", "INPUT")
SENTENCES = 1312

CURVES = {"Annotator 1": "0", "Annotator 2": "1", "Combined": "combined"}
"""Part of the names of files about each curve, by its label in GJG15's Figure 3."""

OTHER_METRICS = ("I-WAcc", "BLEU", "METEOR")


class PrecisionRecall(NamedTuple):
    """Precision and recall of one system's edits, from 0 to 1."""

    precision: float
    recall: float


class SystemScores(NamedTuple):
    """Metric scores of the systems.

    Attributes:
        edits: precision and recall by curve of GJG15's Figure 3 and system.
        others: scores by metric of GJG15's Table 5 other than M2, and by system.
    """

    edits: Mapping[str, Mapping[str, PrecisionRecall]]
    others: Mapping[str, Mapping[str, float]]


@dataclass(eq=False)
class Conll14(PaperData):
    """The test set of CoNLL-2014 and the scores that GJG15 released, from `conll14/` and `gjg15/`.

    All properties raise `FormatError` for a file that is missing or malformed.
    """

    @property
    def outputs(self) -> Mapping[str, Sequence[str]]:
        """Texts by system."""
        return self._evaluation.outputs

    @property
    def references(self) -> EvaluationSet:
        """Both annotators' corrected texts."""
        return self._evaluation.data

    @cached_property
    def gold(self) -> Mapping[str, EvaluationSet]:
        """Official gold edits by curve of GJG15's Figure 3."""
        return {
            curve: self._read(m2=[self.folder / "conll14" / f"official-2014.{part}.m2"]).data
            for curve, part in CURVES.items()
        }

    @cached_property
    def ieval(self) -> EvaluationSet:
        """References of the I-measure tool."""
        return read_ieval(self.folder / "conll14" / "official-2014.combined.ieval.xml")

    @cached_property
    def released(self) -> SystemScores:
        """The scores that GJG15 correlates with its judgments."""
        scores = self.folder / "gjg15" / "metric-scores"
        endings = {curve: f"m2.{part}".removesuffix(".combined") for curve, part in CURVES.items()}
        return SystemScores(
            edits={
                curve: {
                    system: PrecisionRecall(precision, recall)
                    for system, (_, precision, recall) in _figures(scores / f"scores.{ending}", 3).items()
                }
                for curve, ending in endings.items()
            },
            others={
                metric: {system: score for system, (score,) in _figures(path, 1).items()}
                for metric in OTHER_METRICS
                for path in [scores / f"scores.{metric.replace('-', '').lower()}"]
            },
        )

    @cached_property
    def _evaluation(self) -> Evaluation:
        outputs = {system: self.folder / "conll14" / "outputs" / system for system in SYSTEMS}
        texts = self.folder / "conll14" / "references"
        return self._read(outputs, {name: texts / f"{name}.txt" for name in ("NUCLEA", "NUCLEB")})

    def _read(
        self,
        outputs: Mapping[str, Path] | None = None,
        references: Mapping[str, Path] | None = None,
        m2: Iterable[Path] = (),
    ) -> Evaluation:
        return read_evaluation(
            self.folder / "conll14" / "outputs" / "INPUT",
            outputs or {},
            references=references or {},
            m2=[*m2],
            lenient=False,
            checker=None,
        )


def _figures(path: Path, number: int) -> dict[str, list[float]]:
    """The `number` figures after each system's name, one system per line."""
    figures = {}
    for place, line in read_lines(path):
        system, *columns = line.split() or [""]
        if len(columns) != number:
            raise place.fault(f"a line should hold a system and {number} figures")
        figures[system] = [_number(column, place) for column in columns]
    if missing := set(SYSTEMS) - figures.keys():
        raise FormatError(path, None, f"systems are missing: {', '.join(sorted(missing))}")
    return figures


def _number(text: str, place: Place) -> float:
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise place.fault(f"{quoted(text)} is not a number")
    return number


def read_ieval(path: Path) -> EvaluationSet:
    """The references in the I-measure tool's XML, as made by its option -nomix.

    There is one for each annotator who corrects something. If fewer annotators correct than are present, or
    none is present, the source is a reference too.

    Raises:
        FormatError: the file is missing, is not XML, or has other elements.
    """
    try:
        sentences = [_ieval_sentence(sentence) for sentence in parse(path).iter("sentence")]
    except FileNotFoundError:
        raise FormatError(path, None, "no such file") from None
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise FormatError(path, None, f"not a file of the I-measure tool: {error}") from error
    if not sentences:
        raise FormatError(path, None, "the file contains no sentence")
    return EvaluationSet(
        tuple(source for source, _ in sentences), tuple(references for _, references in sentences)
    )


def _ieval_sentence(sentence: Element) -> tuple[str, tuple[str, ...]]:
    source = (sentence.findtext("text") or "").split()
    annotators: dict[str, dict[tuple[int, int], list[str]]] = {}
    for alternative in sentence.iter("alt"):
        spans = annotators.setdefault(alternative.get("ann", ""), {})
        for correction in alternative.iter("c"):
            span = int(correction.get("start", "")), int(correction.get("end", ""))
            spans.setdefault(span, []).append(correction.text or "")
    texts = [" ".join(_corrected(source, spans)) for spans in annotators.values()]
    if not texts or len(texts) < int(sentence.get("numann", "")):
        texts.append(" ".join(source))
    return " ".join(source), tuple(dict.fromkeys(texts))


def _corrected(source: list[str], spans: Mapping[tuple[int, int], list[str]]) -> list[str]:
    """The tokens after all corrections, last to first; a correction that would leave no token is skipped."""
    tokens = source
    for (start, end), corrections in sorted(spans.items(), reverse=True):
        tokens = [*tokens[:start], *" ".join(corrections).split(), *tokens[end:]] or tokens
    return tokens
