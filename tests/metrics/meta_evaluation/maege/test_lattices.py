"""Lattices of corrections, and what a seed draws from them."""

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from formats import read_m2
from metrics.base.evaluation_sets import Annotation, GoldEdit, InputError
from metrics.meta_evaluation.maege import CORPORA, Source, Texts, draw, expected_corrections, lattice_corpus
from metrics.meta_evaluation.maege.drawing import binomial
from tests.metrics.meta_evaluation.maege.conll import conll_lattices
from tests.metrics.meta_evaluation.maege.samples import corpus_of

LATTICE = ((GoldEdit(1, 2, ("sits",)), GoldEdit(2, 2, ("on", "in")), GoldEdit(2, 3, ("",))),)


def test_counts_of_the_paper(reference_data: Path) -> None:
    corpus = conll_lattices(reference_data)
    assert len(corpus.sources) == 764
    assert len(corpus.lattices) == 1809
    assert corpus.corrections == 7936
    assert corpus.comparable.shape == (2, 19822)
    assert len(set(corpus.kinds)) == 27


def test_the_top_of_each_chain_is_the_reference(reference_data: Path) -> None:
    corpus = conll_lattices(reference_data)
    file = read_m2(reference_data / "conll14" / "official-2014.combined-withalt.m2")
    for lattice in corpus.lattices:
        references = file.sentences[corpus.places[lattice.sentence]].references
        [text] = [each.text for each in references if each.annotator == lattice.annotator]
        assert lattice.text(lattice.top) == text
        assert lattice.text(0) == corpus.sources[lattice.sentence]


def test_a_lattice_has_the_text_of_each_subset() -> None:
    corpus = lattice_corpus(["cat sit mat mat"], [[Annotation("0", LATTICE[0])]], None)
    [lattice] = corpus.lattices
    texts = {
        (): "cat sit mat mat",
        (0,): "cat sits mat mat",
        (1,): "cat sit on mat mat",
        (2,): "cat sit mat",
        (0, 1, 2): "cat sits on mat",
    }
    for edits, text in texts.items():
        assert lattice.text(sum(1 << edit for edit in edits)) == text


@pytest.mark.parametrize(
    ("annotations", "least", "kept"),
    [
        (((1, 1), (1, 0), (1,)), None, 1),
        (((1, 1), (1, 0), (1,)), 1, 2),
        (((1,), (1,), (0,)), None, 2),
    ],
)
def test_sentences_that_somebody_leaves_as_they_are_have_no_lattice(
    annotations: tuple[tuple[int, ...], ...], least: int | None, kept: int
) -> None:
    edit = GoldEdit(0, 1, ("x",))
    present = [
        [Annotation(str(name), (edit,) * size) for name, size in enumerate(sizes)] for sizes in annotations
    ]
    corpus = lattice_corpus(["a b"] * len(annotations), present, None, annotators=least)
    assert len(corpus.sources) == kept
    assert corpus.circular


def test_a_corpus_without_a_lattice_is_refused() -> None:
    with pytest.raises(InputError, match="no sentence has 2 or more annotators who all correct something"):
        lattice_corpus(["a"], [[Annotation("0", ()), Annotation("1", ())]], None)


def test_chains_are_nested_and_end_with_all_edits() -> None:
    corpus = corpus_of((3, 5), (1,), (7, 2))
    texts = Texts(corpus)
    drawn = draw(corpus, texts, 4, Source.UNIFORM)
    begin = 0
    for size in corpus.sizes.tolist():
        chain = [texts.texts[number].split() for number in drawn.chains[begin : begin + size + 1]]
        assert [words.count("ok") for words in chain] == list(range(size + 1))
        for worse, better in pairwise(chain):
            assert all(new in ("ok", old) for old, new in zip(worse, better, strict=True))
        begin += size + 1
    assert sorted(drawn.steps.tolist()) == list(range(int(corpus.sizes.sum())))


def test_one_seed_draws_the_same_whatever_was_drawn_before() -> None:
    corpus = corpus_of((3, 5), (4,))
    alone, after = Texts(corpus), Texts(corpus)
    draw(corpus, after, 1, Source.UNIFORM)
    for name in ("chains", "chain_sources", "corpora", "sources"):
        first, second = (
            [texts.texts[number] for number in np.ravel(getattr(draw(corpus, texts, 2, source), name))]
            for texts, source in ((alone, Source.CORPORA), (after, Source.CORPORA))
        )
        assert first == second


def test_chains_and_corpora_are_the_same_whatever_the_source_is() -> None:
    corpus = corpus_of((3, 5), (4,), (6,))
    texts = Texts(corpus)
    draws = [draw(corpus, texts, 0, source) for source in Source]
    for other in draws[1:]:
        assert np.array_equal(other.chains, draws[0].chains)
        assert np.array_equal(other.corpora, draws[0].corpora)


def test_sources() -> None:
    corpus = corpus_of(*[(4,)] * 50)
    texts = Texts(corpus)
    originals = [texts.original(sentence) for sentence in range(50)]
    original = draw(corpus, texts, 0, Source.ORIGINAL)
    assert original.sources.tolist() == originals
    assert set(original.chain_sources.tolist()) == set(originals)
    of_corpora = draw(corpus, texts, 0, Source.CORPORA)
    assert (of_corpora.sources == of_corpora.corpora).any(axis=0).all()
    uniform = draw(corpus, texts, 0, Source.UNIFORM)
    counts = [texts.texts[number].split().count("ok") for number in uniform.sources]
    assert 1.6 < np.mean(counts) < 2.4  # Each of four edits with one half; 3 standard errors are .42.
    in_chain = [texts.texts[number].split().count("ok") for number in uniform.chain_sources[::5]]
    assert set(in_chain) == set(range(5))


@pytest.mark.parametrize("mean", range(1, CORPORA))
def test_corpora_have_the_expected_number_of_corrections(mean: int) -> None:
    corpus = corpus_of(*[(3, 9)] * 40)
    trials, probability = binomial(mean)
    assert abs(mean * (1 - probability) - 0.9) < 1e-9
    oracle = np.mean(
        [sum(min(k, size) * binom.pmf(k, trials, probability) for k in range(trials + 1)) for size in (3, 9)]
    )
    assert expected_corrections(corpus)[mean] == pytest.approx(oracle)
    draws = [draw(corpus, Texts(corpus), seed, Source.ORIGINAL).corrections[mean].mean() for seed in range(8)]
    # Means over 320 draws, each with a standard deviation below 3.1.
    assert np.mean(draws) == pytest.approx(oracle, abs=0.6)


def test_the_mean_is_lower_than_intended_where_trials_are_cut_off() -> None:
    trials, probability = binomial(2)
    assert trials == 3
    assert trials * probability == pytest.approx(1.65)
    assert binomial(1)[0] == 10


def test_corpora_pick_subsets_uniformly() -> None:
    corpus = corpus_of(*[(3,)] * 60)
    texts = Texts(corpus)
    pairs: dict[str, int] = {}
    for seed in range(6):
        drawn = draw(corpus, texts, seed, Source.ORIGINAL)
        for number in drawn.corpora[:, (drawn.corrections == 2).any(axis=0)].ravel():
            applied = tuple(word == "ok" for word in texts.texts[number].split()[:3])
            if sum(applied) == 2:
                pairs[str(applied)] = pairs.get(str(applied), 0) + 1
    total = sum(pairs.values())
    assert len(pairs) == len([each for each in product((0, 1), repeat=3) if sum(each) == 2])
    assert all(abs(number / total - 1 / 3) < 0.1 for number in pairs.values())


def test_of_many_sentences_some_are_drawn_in_their_order() -> None:
    """The same with the same seed; those that have no lattice are never drawn."""
    sources = [f"word{number} b" for number in range(40)]
    edit = GoldEdit(0, 1, ("c",), "X")
    annotations = [[Annotation("0", (edit,) if number % 2 else ())] for number in range(40)]
    drawn = lattice_corpus(sources, annotations, None, most=8, seed=3)
    again, other = (lattice_corpus(sources, annotations, None, most=8, seed=seed) for seed in (3, 4))
    places = drawn.places.tolist()
    assert len(places) == len(drawn.sources) == 8
    assert places == sorted(set(places))
    assert all(place % 2 for place in places)
    assert again.places.tolist() == places != other.places.tolist()
    assert drawn.sources == tuple(sources[place] for place in places)
    assert len(lattice_corpus(sources, annotations, None, most=20).sources) == 20
