"""Tables 3 and 4 and Figure 1 of GMEG: how people correct, by domain."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from statistics import fmean, pstdev, stdev

from analysis.analyses.metrics.metric_scores import read_evaluation
from analysis.reproduction.cells import OurFigures, Ours, Table, compare, printed
from analysis.reproduction.public_data.gmeg_data import NO_TEXTS, Gmeg
from annotate.scores.metric_setup import english_pipeline
from metrics import EvaluationSet, metric_from_text, score
from metrics.edits.edit_extraction import extracted_annotations
from metrics.edits.errant_types import category

CONLL = "conll"
NATIVE = "wiki"
"""A domain in which most errors are of punctuation, orthography and spelling (section 3.2)."""

MECHANICAL = {"PUNCT", "ORTH", "SPELL"}
MOST_FREQUENT = 10
OTHER = "OTHER"
DEVELOPMENT = "of the {:,} development sentences; the paper counts those of the test split too"


def table_3(data: Gmeg) -> Table:
    """Sentences, lengths and edits, cells such as "conll tokens/edit": CoNLL-2014 is there whole."""
    published = printed("gmeg", "3")
    ours: OurFigures = {name: Ours(None, cannot=NO_TEXTS) for name in published}
    for domain, texts in {**_texts(data), CONLL: _conll(data)}.items():
        half = DEVELOPMENT.format(len(texts.sources))
        compared = domain == CONLL or data.tested is not None
        for name, figure in _described(texts).items():
            ours[f"{domain} {name}"] = Ours(figure, cannot="" if compared else half)
    return compare(published, ours)


def table_4(data: Gmeg) -> Table:
    """M2 precision and recall of each reference against the other three, in percent: mean and deviation."""
    published = printed("gmeg", "4")
    lacking = "the earlier corrections of these texts are not in the release"
    ours: OurFigures = {name: Ours(None, cannot=lacking) for name in published}
    for domain, texts in _texts(data).items():
        half = "" if data.tested else DEVELOPMENT.format(len(texts.sources))
        for name, values in _against_each_other(texts).items():
            ours[f"{domain} {name}"] = Ours(fmean(values), cannot=half)
            ours[f"{domain} {name} sd"] = Ours(stdev(values), cannot=half)
    return compare(published, ours)


def figure_1(data: Gmeg) -> Table:
    """What the paper says of the most frequent types, which it draws; edits of type OTHER do not count."""
    published = printed("gmeg", "figure 1")
    ours: OurFigures = {name: Ours(None, cannot=NO_TEXTS) for name in published}
    for domain, texts in _texts(data).items():
        kinds = Counter(
            kind
            for of_sentence in texts.annotations or ()
            for each in of_sentence
            for edit in each.edits
            if (kind := category(edit.kind)) != OTHER
        )
        listed = ", ".join(f"{kind} {number:,}" for kind, number in kinds.most_common(MOST_FREQUENT))
        [(first, _)] = kinds.most_common(1)
        ours[f"{domain} most frequent type"] = Ours(first, listed)
        if domain == NATIVE:
            share = sum(kinds[kind] for kind in MECHANICAL) / kinds.total()
            ours[f"{domain} PUNCT, ORTH and SPELL"] = Ours(share, sign="> .5" if share > 0.5 else "< .5")
    return compare(published, ours)


def _texts(data: Gmeg) -> Mapping[str, EvaluationSet]:
    """By domain with public texts; the sentences of both splits if both are there."""
    splits = [data.development, *([data.tested] if data.tested else [])]
    return {
        name: _joined([texts for split in splits if (texts := split.texts[name])])
        for name, each in data.development.texts.items()
        if each
    }


def _joined(parts: list[EvaluationSet]) -> EvaluationSet:
    return EvaluationSet(
        tuple(source for part in parts for source in part.sources),
        tuple(texts for part in parts for texts in part.references or ()),
        tuple(each for part in parts for each in part.annotations or ()),
    )


def _conll(data: Gmeg) -> EvaluationSet:
    """The test set of CoNLL-2014 with both references and the edits that ERRANT extracts."""
    folder = data.folder / "conll14"
    read = read_evaluation(
        folder / "outputs" / "INPUT",
        {},
        references={name: folder / "references" / f"{name}.txt" for name in ("NUCLEA", "NUCLEB")},
        m2=[],
        lenient=False,
        checker=None,
    )
    return replace(read.data, annotations=extracted_annotations(read.data, english_pipeline()))


def _described(texts: EvaluationSet) -> dict[str, float]:
    """The columns of Table 3; an edit is as long as the longer of its two sides."""
    lengths = [len(source.split()) for source in texts.sources]
    tokens = Counter(token for source in texts.sources for token in source.split())
    edits = [each.edits for of_sentence in texts.annotations or () for each in of_sentence]
    changed = [each for each in edits if each]
    sizes = [
        max(edit.end - edit.start, len(edit.corrections[0].split())) for each in changed for edit in each
    ]
    return {
        "sentences": len(lengths),
        "tokens/sentence": fmean(lengths),
        "tokens/sentence sd": pstdev(lengths),
        "unchanged": 100 * (1 - len(changed) / len(edits)),
        "edits/sentence": fmean(len(each) for each in changed),
        "tokens/edit": fmean(sizes),
        "type-token ratio": len(tokens) / tokens.total(),
    }


def _against_each_other(texts: EvaluationSet) -> dict[str, list[float]]:
    """Precision and recall of each reference against the others, in percent."""
    values: dict[str, list[float]] = {"P": [], "R": []}
    references, annotations = texts.references or (), texts.annotations or ()
    for place in range(len(references[0])):
        others = tuple(
            tuple(each for each in of_sentence if each.annotator != str(place)) for of_sentence in annotations
        )
        output = [of_sentence[place] for of_sentence in references]
        scored = score(metric_from_text("m2"), EvaluationSet(texts.sources, None, others), {"x": output})
        details = scored.corpus("x").details
        values["P"].append(100 * details["precision"])
        values["R"].append(100 * details["recall"])
    return values
