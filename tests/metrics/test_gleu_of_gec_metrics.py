"""GLEU of gec-metrics: equal to the toolkit to six digits for systems and ten for correlations."""

import random
from collections import Counter
from collections.abc import Sequence
from math import exp, log
from pathlib import Path

import numpy as np
import pytest
from defusedxml.ElementTree import parse
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from formats.m2 import read_m2
from metrics import EvaluationSet, score
from metrics.gleu import GleuParameters
from metrics.gleu_of_gec_metrics import GecMetricsGleu, integers

SYSTEMS = {
    "BART": 0.570368,
    "BERT-fuse": 0.638079,
    "GECToR-BERT": 0.614593,
    "GECToR-ens": 0.580474,
    "GPT-3.5": 0.629677,
    "INPUT": 0.448115,
    "LM-Critic": 0.583184,
    "PIE": 0.621675,
    "REF-F": 0.579975,
    "REF-M": 0.625724,
    "Riken-Tohoku": 0.637988,
    "T5": 0.640548,
    "TemplateGEC": 0.590782,
    "TransGEC": 0.650492,
    "UEDIN-MS": 0.618089,
}
"""By gec-metrics, on the sentences of SEEDA with the corrections of both annotators of CoNLL-2014."""

BASE = [system for system in SYSTEMS if system not in ("GPT-3.5", "INPUT", "REF-F")]
"""SEEDA's systems without those that it calls outliers."""

PEARSON = {"EW": 0.8749437874, "TS": 0.8856173179}
"""Of gec-metrics' scores with ExpectedWins and TrueSkill."""

AGREED = 0.6715701950751519
"""Share of ordered pairs that its sentence scores order alike; a tie counts as won by the later system."""

texts = st.lists(st.sampled_from(["a", "b", "c", "aa"]), max_size=9).map(" ".join)
corpora = st.integers(1, 4).flatmap(
    lambda number: st.lists(
        st.tuples(texts, texts, st.lists(texts, min_size=number, max_size=number)), min_size=1, max_size=6
    )
)


def ngrams(text: str, n: int) -> Counter[tuple[str, ...]]:
    tokens = text.split() or [""]
    return Counter(tuple(tokens[place : place + n]) for place in range(len(tokens) + 1 - n))


def statistics(source: str, output: str, reference: str, order: int) -> list[int]:
    """Lengths, and TP and FP of each order: TI + TK - UD, and OI + 2 UD."""
    figures = [len(output.split() or [""]), len(reference.split() or [""])]
    for n in range(1, order + 1):
        s, c, r = (ngrams(text, n) for text in (source, output, reference))
        inserted, kept = ((r & c) - s).total(), (s & r & c).total()
        over, under = (c - (s | r)).total(), ((s & c) - r).total()
        figures += [inserted + kept - under, over + 2 * under]
    return figures


def plain_gleu(figures: Sequence[int]) -> float:
    length, reference, *counts = figures
    positives = zip(counts[::2], counts[1::2], strict=True)
    precisions = [true / (true + false) if false else 1.0 for true, false in positives]
    if min(precisions) <= 0:
        return 0.0
    return exp(min(0, 1 - reference / length) + sum(map(log, precisions)) / len(precisions))


@given(corpora, st.integers(1, 5))
def test_it_equals_a_plain_statement(corpus: list[tuple[str, str, list[str]]], order: int) -> None:
    data = EvaluationSet(tuple(case[0] for case in corpus), tuple(tuple(case[2]) for case in corpus))
    metric = GecMetricsGleu(GleuParameters(order, iterations=40))
    scored = score(metric, data, {"x": [case[1] for case in corpus]})
    number = len(corpus[0][2])
    of_iterations = []
    for iteration in range(40):
        random.seed(iteration * 101)
        drawn = [
            statistics(source, output, references[random.randint(0, number - 1)], order)  # noqa: S311
            for source, output, references in corpus
        ]
        of_iterations.append(plain_gleu([sum(each) for each in zip(*drawn, strict=True)]))
    assert scored.corpus("x").value == pytest.approx(np.mean(of_iterations), abs=1e-12)
    for ours, (source, output, references) in zip(scored.sentences("x"), corpus, strict=True):
        each = [plain_gleu(statistics(source, output, reference, order)) for reference in references]
        assert ours == pytest.approx(np.mean(each), abs=1e-12)


def test_draws_are_those_of_python_3() -> None:
    for seed, size in [(0, 2), (101, 2), (202, 3), (303, 4), (404, 5), (505, 1)]:
        random.seed(seed)
        assert integers(seed, size, 60).tolist() == [random.randint(0, size - 1) for _ in range(60)]  # noqa: S311


def test_a_sentence_without_references_is_not_scored() -> None:
    data = EvaluationSet(("a b c d", "a", "b"), (("a b c d", "a b c"), (), ("b",)))
    scored = score(GecMetricsGleu(), data, {"x": ["a b c d", "b", "b"]})
    assert scored.not_scored("x") == {1: "the sentence has no reference"}
    assert scored.sentences("x")[2] == 1


def test_scores_and_correlations_are_those_published_with_gec_metrics(reference_data: Path) -> None:
    seeda = reference_data / "seeda"
    items = [
        (
            int(item.get("src-id", "")) - 1,
            {
                system: int(text.get("rank", ""))
                for text in item.iter("translation")
                for system in text.get("system", "").split()
            },
        )
        for item in parse(seeda / "data" / "judgments_sent.xml").iter("ranking-item")
    ]
    judged = sorted({sentence for sentence, _ in items})
    gold = read_m2(reference_data / "conll14" / "official-2014.combined.m2", lenient=True).sentences
    sources = tuple(" ".join(gold[sentence].tokens) for sentence in judged)
    written = [{each.annotator: each.text for each in gold[sentence].references} for sentence in judged]
    references = tuple(
        (of_sentence.get("0", source), of_sentence.get("1", source))
        for source, of_sentence in zip(sources, written, strict=True)
    )
    outputs = {
        system: (seeda / "outputs" / "subset" / f"{system}.txt").read_text().split("\n")[: len(judged)]
        for system in SYSTEMS
    }
    scored = score(GecMetricsGleu(), EvaluationSet(sources, references), outputs)
    values = {system: scored.corpus(system).value or 0.0 for system in SYSTEMS}
    assert {system: round(value, 6) for system, value in values.items()} == SYSTEMS

    for name, expected in PEARSON.items():
        scores = (seeda / "scores" / "human" / f"{name}_sent.txt").read_text().split()
        human = dict(zip(SYSTEMS, map(float, scores), strict=True))
        r = stats.pearsonr([values[system] for system in BASE], [human[system] for system in BASE])
        assert float(r.statistic) == pytest.approx(expected, abs=1e-10)

    places = {sentence: place for place, sentence in enumerate(judged)}
    sentences = {system: scored.sentences(system) for system in BASE}
    agreed = [
        (sentences[first][places[sentence]] > sentences[second][places[sentence]])
        == (ranks[first] < ranks[second])
        for sentence, ranks in items
        for place, first in enumerate(BASE)
        for second in BASE[place + 1 :]
        if first in ranks and second in ranks and ranks[first] != ranks[second]
    ]
    assert float(np.mean(agreed)) == AGREED
