"""Reads the public data of CoNLL-2014: outputs, gold edits and references."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import parse

from analysis.analyses.metric_scores import read_evaluation
from analysis.reproduction.cells import Table
from analysis.reproduction.gjg15_released import gjg15_metrics
from analysis.reproduction.metrics import ConllData, reproduce
from analysis.reproduction.published_gjg15_metrics import CURVES
from analysis.reproduction.published_metrics import SYSTEMS
from formats import FormatError
from metrics import EvaluationSet
from metrics.scoring import Progress

SENTENCES = 1312

GOLD = {
    "Annotator 1": "official-2014.0.m2",
    "Annotator 2": "official-2014.1.m2",
    "Combined": "official-2014.combined.m2",
}


def reproduce_from(folder: Path, *, tables: Collection[str], progress: Progress) -> dict[str, Table]:
    """Tables from a folder that holds `conll14/` and `gjg15/metric-scores/`.

    Raises:
        FormatError: a file is missing or malformed.
    """
    return reproduce(read_conll(folder), tables=tables, progress=progress)


def read_conll(folder: Path) -> ConllData:
    """All data that the tables need.

    Raises:
        FormatError: a file is missing or malformed.
    """
    conll = folder / "conll14"
    outputs = {system: conll / "outputs" / system for system in SYSTEMS}
    texts = {name: conll / "references" / f"{name}.txt" for name in ("NUCLEA", "NUCLEB")}

    def evaluation(references: Mapping[str, Path], m2: Iterable[Path]) -> EvaluationSet:
        return read_evaluation(
            outputs["INPUT"], {}, references=references, m2=[*m2], lenient=False, checker=None
        ).data

    both = read_evaluation(outputs["INPUT"], outputs, references=texts, m2=[], lenient=False, checker=None)
    return ConllData(
        outputs=both.outputs,
        gold={curve: evaluation({}, [conll / GOLD[curve]]) for curve in CURVES},
        references=both.data,
        ieval=read_ieval(conll / "official-2014.combined.ieval.xml"),
        released=gjg15_metrics(folder),
    )


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
