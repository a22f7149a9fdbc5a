"""Properties of every registered metric for any texts."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import METRICS, AnyMetric, Need, Scored, bootstrap_scores, metric_from_text, score
from metrics.base.metric import AdditiveMetric, Rows
from tests.depth import DEEP
from tests.metrics.reference_data import CoNLL14, lines
from tests.metrics.registered import complete

WORDS = ("a", "an", "the", "cat", "cats", "sit", "sits", "on", "mat", ".", ",", "A")
DEGENERATE = {"wiki": (21, 32, 776)}
"""Development sentences of GMEG for which a system repeats itself through up to 614 tokens."""

SECONDS_A_SENTENCE = 1.0
COMPARED = {Need.REFERENCES, Need.GOLD_EDITS}
"""What a metric needs that compares outputs with people's corrections."""

EXAMPLES = 250 if DEEP else 10
"""Examples of each property and metric; there are many metrics."""

texts = st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join)
any_texts = st.text(max_size=30).map(lambda text: " ".join(text.split()))

Corpus = list[tuple[str, str, list[str]]]


def corpora(text: st.SearchStrategy[str]) -> st.SearchStrategy[Corpus]:
    """Up to five sentences: source, output and as many references everywhere."""
    return st.integers(1, 3).flatmap(
        lambda number: st.lists(
            st.tuples(text, text, st.lists(text, min_size=number, max_size=number)), min_size=1, max_size=5
        )
    )


@pytest.fixture(params=sorted(METRICS))
def metric(request: pytest.FixtureRequest) -> AnyMetric:
    return metric_from_text(request.param)


def scored(metric: AnyMetric, corpus: Corpus) -> Scored:
    data = complete([source for source, _, _ in corpus], [references for _, _, references in corpus])
    return score(metric, data, {"x": [output for _, output, _ in corpus]})


def check_reasons(result: Scored) -> None:
    """A score is a finite number, or there is a reason why there is none."""
    corpus = result.corpus("x")
    assert (corpus.value is None) == bool(corpus.reason)
    assert corpus.value is None or np.isfinite(corpus.value)
    assert all(np.isfinite(figure) for figure in corpus.details.values())
    assert corpus.not_scored == len(result.not_scored("x"))
    missing = np.flatnonzero(np.isnan(result.sentences("x"))).tolist()
    assert missing == list(result.not_scored("x"))
    assert all(result.not_scored("x").values())
    assert not np.isinf(result.sentences("x")).any()


@st.composite
def corrected(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Sources and references of six tokens and more, some of whose tokens are replaced by new ones."""
    sentences = []
    for number in range(draw(st.integers(1, 4))):
        source = draw(st.lists(st.sampled_from(WORDS), min_size=6, max_size=12))
        replaced = draw(st.sets(st.integers(0, len(source) - 1), max_size=4))
        reference = [
            f"New{number}{place}" if place in replaced else word for place, word in enumerate(source)
        ]
        sentences.append((" ".join(source), " ".join(reference)))
    return sentences


@pytest.mark.parametrize("name", sorted(name for name, each in METRICS.items() if each.perfect is not None))
@settings(max_examples=EXAMPLES)
@given(sentences=corrected())
def test_the_only_reference_is_perfect(name: str, sentences: list[tuple[str, str]]) -> None:
    metric = metric_from_text(name)
    result = scored(metric, [(source, reference, [reference]) for source, reference in sentences])
    assert result.corpus("x").value == pytest.approx(metric.perfect, abs=1e-9)
    assert result.sentences("x") == pytest.approx(metric.perfect, abs=1e-9)


@pytest.mark.parametrize("name", sorted(name for name, each in METRICS.items() if each.needs & COMPARED))
@settings(max_examples=EXAMPLES)
@given(sentences=corrected())
def test_higher_is_better(name: str, sentences: list[tuple[str, str]]) -> None:
    """The only reference never scores lower than the source that it corrects."""
    data = complete([source for source, _ in sentences], [[reference] for _, reference in sentences])
    sources, references = zip(*sentences, strict=True)
    result = score(metric_from_text(name), data, {"source": sources, "reference": references})
    unchanged, corrected = (result.corpus(system).value for system in ("source", "reference"))
    assert unchanged is not None
    assert corrected is not None
    assert corrected >= unchanged - 1e-9


@pytest.mark.parametrize("name", sorted(METRICS))
@settings(max_examples=EXAMPLES)
@given(corpus=corpora(texts), data=st.data())
def test_sums_of_statistics_score_a_corpus_in_any_order(
    name: str, corpus: Corpus, data: st.DataObject
) -> None:
    metric = metric_from_text(name)
    if not isinstance(metric, AdditiveMetric):
        assert not metric.additive
        return
    result, shuffled = scored(metric, corpus), scored(metric, data.draw(st.permutations(corpus)))
    value = result.corpus("x").value
    assert shuffled.corpus("x").value == pytest.approx(value, abs=1e-9)
    parts = [scored(metric, [sentence]) for sentence in corpus]
    rows = [part.rows.values[0, 0] for part in parts if part.rows.sizes[0]]
    if rows and value is not None:
        assert float(metric.score_sums(np.sum(rows, axis=0))) == pytest.approx(value, abs=1e-9)


@settings(max_examples=EXAMPLES)
@given(corpus=corpora(texts))
@pytest.mark.parametrize("name", sorted(METRICS))
def test_equal_outputs_score_equally(name: str, corpus: Corpus) -> None:
    twice = [*corpus, *corpus]
    result = scored(metric_from_text(name), twice)
    first, second = np.split(result.sentences("x"), 2)
    assert np.array_equal(first, second, equal_nan=True)
    systems = score(
        result.metric,
        complete([source for source, _, _ in corpus], [references for _, _, references in corpus]),
        {system: [output for _, output, _ in corpus] for system in ("x", "y")},
    )
    assert systems.corpus("x") == systems.corpus("y")
    assert len(systems.rows.sizes) == len(corpus)


@pytest.mark.parametrize("name", sorted(METRICS))
@settings(max_examples=EXAMPLES)
@given(corpus=st.one_of(corpora(any_texts), corpora(texts)))
def test_any_text_is_scored_or_there_is_a_reason(name: str, corpus: Corpus) -> None:
    check_reasons(scored(metric_from_text(name), corpus))


@pytest.mark.parametrize(
    "corpus",
    [
        [("a cat", "", ["a cat ."])],
        [("a cat", "a cat", [""])],
        [("", "", [""])],
        [("a", "b", ["c", ""])],
        [("", "a", ["b"])],
    ],
    ids=["empty output", "empty reference", "all empty", "one token", "empty source"],
)
def test_empty_and_short_texts(metric: AnyMetric, corpus: Corpus) -> None:
    check_reasons(scored(metric, corpus))
    check_reasons(scored(metric, [*corpus, ("a cat sit", "a cat sits", ["a cat sits"])]))


def test_a_sentence_of_two_thousand_tokens(metric: AnyMetric) -> None:
    rng = np.random.default_rng(1)
    tokens = rng.choice(WORDS, size=2000)
    output = np.where(rng.random(2000) < 0.02, "new", tokens)
    references = [" ".join(np.where(rng.random(2000) < 0.02, "right", tokens)) for _ in range(2)]
    check_reasons(scored(metric, [(" ".join(tokens), " ".join(output), references)]))


def test_statistics_of_a_corpus_resample_without_text(metric: AnyMetric) -> None:
    rng = np.random.default_rng(2)
    corpus: Corpus = []
    for _ in range(30):
        source = rng.choice(WORDS, size=8)
        output = np.where(rng.random(8) < 0.2, "dog", source)
        references = [" ".join(np.where(rng.random(8) < 0.2, "dog", source)) for _ in range(2)]
        corpus.append((" ".join(source), " ".join(output), references))
    result = scored(metric, corpus)
    replicates = bootstrap_scores(result, ("x",), range(100), seed=1)[:, 0]
    value = result.corpus("x").value
    assert value is not None
    assert replicates.min() <= value <= replicates.max()
    assert np.ptp(replicates) > 0
    assert isinstance(result.rows, Rows)


def test_repetitive_outputs_of_gmeg_take_less_than_a_second_each(metric: AnyMetric, conll14: CoNLL14) -> None:
    folder = conll14.folder.parent / "gmeg" / "dev"
    for domain, numbers in DEGENERATE.items():
        files = {path.name: lines(path) for path in (folder / domain).iterdir()}
        references = [[files[f"ref{each}"][number] for each in range(4)] for number in numbers]
        data = complete([files["source"][number] for number in numbers], references)
        outputs = [files["marian"][number] for number in numbers]
        # Compiling, and loading libraries, is not counted.
        score(metric, complete(["a b c"], [["a c c"]]), {"x": ["b a c"]})
        reduce = metric.prepare(data)
        for sentence, output in enumerate(outputs):
            began = time.process_time()
            reduce(sentence, output)
            assert time.process_time() - began < SECONDS_A_SENTENCE
        check_reasons(score(metric, data, {"x": outputs}))
