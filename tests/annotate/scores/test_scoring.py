"""Stored scores of a corpus, and what is computed again."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from django.db import IntegrityError
from numpy.testing import assert_array_equal
from pytest_django import DjangoAssertNumQueries

from analysis.analyses.metrics.metric_scores import metric_scores, read_evaluation
from annotate.corpora.adding_controls import make_controls
from annotate.models import Corpus, CorpusState, OutputScore, Production, Reference, ScoreSet, SystemScore
from annotate.scores import scoring, stored_rows
from annotate.scores.corpus_outputs import corpus_outputs, texts_of
from annotate.scores.evaluation import evaluation_set
from annotate.scores.metric_setup import english_pipeline
from annotate.scores.queries import current_sets, score_table, scored_of
from annotate.scores.scoring import REPLICATES, SEED, ScoresRefusedError, score_corpus
from annotate.scores.stored_rows import MISSING, load_scored
from metrics import bootstrap_intervals, metric_from_text
from metrics.gleu import Gleu
from tests.annotate.samples import SENTENCES, no_progress, sentence, small_corpus
from tests.annotate.scores.scoring import EDITED, Told, edited_corpus, scored, scores_of, values_of

pytestmark = pytest.mark.django_db

ALL_KINDS = ("m2", "gleu", "imeasure", "ld-source", "exact-match", "green")
"""Rows by annotator and by reference, additive and not, with gold edits, references and neither."""


@pytest.fixture
def reduced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The outputs that GLEU reduces, as they are computed."""
    texts: list[str] = []
    prepare = Gleu.prepare

    def noting(self: Gleu, data: object) -> object:
        reduce = prepare(self, data)  # type: ignore[arg-type]

        def note(sentence: int, output: str) -> object:
            texts.append(output)
            return reduce(sentence, output)

        return note

    monkeypatch.setattr(Gleu, "prepare", noting)
    return texts


def written(folder: Path) -> Path:
    """The edited corpus as files of parallel text and M2."""
    sources = [record.source for record in EDITED]
    (folder / "source").write_text("\n".join(sources) + "\n")
    for system in ("INPUT", "Alder", "Birch", "Cedar"):
        (folder / system).write_text("".join(f"{record.outputs[system]}\n" for record in EDITED))
    gold = []
    for record in EDITED:
        edits = record.references[0].edits or ()
        lines = [
            f"A {e.start} {e.end}|||{e.kind}|||{e.corrections[0]}|||REQUIRED|||-NONE-|||0" for e in edits
        ]
        noop = ["A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0"]
        gold.append("\n".join([f"S {record.source}", *(lines or noop)]) + "\n\n")
    (folder / "gold.m2").write_text("".join(gold))
    return folder


@pytest.mark.any_database
@pytest.mark.parametrize("name", [*ALL_KINDS, "errant", "cleme:corrections=independent"])
def test_they_equal_those_of_files(tmp_path: Path, name: str) -> None:
    edited_corpus()
    folder = written(tmp_path)
    outputs = {system: folder / system for system in ("Alder", "Birch", "Cedar", "INPUT")}
    files = read_evaluation(
        folder / "source", outputs, references={}, m2=[folder / "gold.m2"], lenient=False, checker=None
    )
    metric = metric_from_text(name)
    if metric.reads_edits:
        files = replace(files, data=replace(files.data, parser=english_pipeline()))
    expected = metric_scores(
        metric, files, intervals=REPLICATES, comparisons=0, seed=SEED, progress=no_progress
    )
    score_set = scores_of(Corpus.objects.get(), name)
    assert score_set.signature == expected.signature
    for score in SystemScore.objects.select_related("system"):
        wanted = expected.systems[score.system.name]
        assert (score.value, score.low, score.high) == (wanted.score, wanted.low, wanted.high)
        assert score.details == wanted.details
    stored = scored_of(score_set)
    for system, wanted in expected.systems.items():
        values = [None if np.isnan(value) else value for value in stored.sentences(system).tolist()]
        assert values == wanted.sentences


def test_stored_rows_equal_the_rows_of_the_metrics() -> None:
    score_set = scores_of(edited_corpus(), "gleu")
    stored = scored_of(score_set)
    intervals = bootstrap_intervals(stored, REPLICATES, SEED)
    for score in SystemScore.objects.select_related("system"):
        assert (score.low, score.high) == (
            intervals[score.system.name].low,
            intervals[score.system.name].high,
        )
    assert list(stored.picks) == ["Alder", "Birch", "Cedar", "INPUT"]
    assert stored.signature == score_set.signature


def test_statistics_of_one_system_are_read_alone() -> None:
    corpus = edited_corpus()
    score_set = scores_of(corpus, "gleu")
    whole = scored_of(score_set)
    alone = load_scored(score_set, corpus_outputs(corpus), ["Birch"])
    assert len(alone.rows.sizes) == corpus.sentence_count < len(whole.rows.sizes)
    np.testing.assert_array_equal(alone.sentences("Birch"), whole.sentences("Birch"))
    assert alone.corpus("Birch") == whole.corpus("Birch")
    assert alone.not_scored("Birch") == whole.not_scored("Birch")


def test_identical_texts_are_scored_once(reduced: list[str]) -> None:
    corpus = edited_corpus()
    scored(corpus, "gleu")
    assert len(reduced) == OutputScore.objects.count() == 3 + 4 + 2
    assert score_table(corpus, current_sets(corpus)).lacking == 0


def test_a_second_time_computes_nothing(reduced: list[str]) -> None:
    corpus = edited_corpus()
    first = scored(corpus, "gleu")
    told = Told()
    again = score_corpus(corpus=corpus, metrics=[metric_from_text("gleu")], by=None, steps=told)
    assert (first.computed, again.computed, again.kept) == (9, 0, 9)
    assert len(reduced) == 9
    assert told.steps == ["Reading the corpus"]
    assert ScoreSet.objects.count() == 1


def test_equal_metrics_count_once() -> None:
    assert len(scored(edited_corpus(), "gleu", "gleu:order=4").sets) == 1


def test_only_new_outputs_of_added_systems_are_scored(reduced: list[str]) -> None:
    corpus = edited_corpus()
    score_set = scores_of(corpus, "gleu")
    before = values_of(score_set)
    del reduced[:]
    make_controls(corpus=corpus, seed=1, progress=no_progress)
    assert score_table(corpus, [score_set]).lacking == 1
    scored(corpus, "gleu")
    new = Production.objects.filter(system__name="SOURCE+ERROR").values_list("output__text", flat=True)
    assert sorted(reduced) == sorted(text or "" for text in new)
    after = values_of(score_set)
    assert after.pop("SOURCE+ERROR") is not None
    assert after == before
    assert score_set.pieces.count() == 2
    assert scored_of(score_set).corpus("SOURCE+ERROR").value is not None


def test_new_references_make_new_scores_and_keep_the_old() -> None:
    corpus = edited_corpus()
    old = scores_of(corpus, "gleu")
    before = values_of(old)
    for reference in Reference.objects.select_related("sentence"):
        Reference.objects.create(sentence=reference.sentence, annotator="1", text="It was fine .", edits=[])
    new = scores_of(corpus, "gleu")
    assert (old.references, new.references) == ("1", "2")
    assert values_of(old) == before
    assert values_of(new) != before
    assert current_sets(corpus) == [new]


def test_a_metric_without_references_does_not_care_for_them() -> None:
    corpus = edited_corpus()
    before = scores_of(corpus, "ld-source")
    Reference.objects.all().delete()
    assert scores_of(corpus, "ld-source") == before
    assert (before.references, before.references_digest) == ("", "")


@pytest.mark.parametrize("name", ALL_KINDS)
def test_a_partial_system_is_scored_on_what_it_has(name: str) -> None:
    corpus = edited_corpus()
    Production.objects.filter(system__name="Birch", sentence__position=1).delete()
    score_set = scores_of(corpus, name)
    score = SystemScore.objects.get(system__name="Birch")
    assert (score.scored, score.missing) == (2, 1)
    stored = scored_of(score_set)
    assert stored.not_scored("Birch") == {1: MISSING}
    assert np.isnan(stored.sentences("Birch")[1])
    two = [record for place, record in enumerate(EDITED) if place != 1]
    alone = scores_of(small_corpus("two", sentences=two), name)
    assert values_of(alone)["Birch"] == score.value


def test_outputs_that_a_metric_does_not_score_say_why() -> None:
    corpus = small_corpus()
    scored(corpus, "gleu")
    unscored = OutputScore.objects.filter(position=3)
    assert set(unscored.values_list("score", "reason")) == {(None, "the sentence has no reference")}
    score = SystemScore.objects.get(system__name="Alder")
    # Of the references of the sample, those that are texts alone are of two sentences.
    assert (score.scored, score.not_scored, score.missing) == (2, 2, 0)


def test_without_any_score_there_is_a_reason() -> None:
    sentences = [sentence("He go .", "He goes .", "He go .", "", references=SENTENCES[1].references)]
    corpus = small_corpus(sentences=[*sentences, sentence("It is .", "It was .", "", "")])
    Production.objects.filter(system__name="Alder", sentence__position=0).delete()
    scored(corpus, "gleu")
    score = SystemScore.objects.get(system__name="Alder")
    assert (score.value, score.low, score.scored) == (None, None, 0)
    assert score.reason.startswith("no sentence is scored")


@pytest.mark.parametrize(
    ("language", "metric", "said"),
    [
        ("de", "errant", "needs references or gold edits, and the corpus has none"),
        ("de", "meteor", "METEOR cannot score 'plain': it is for English, and the corpus is in German."),
        ("zh", "m2", "its sentences have no tokens to which edits could belong: import them as tokens"),
        ("de", "grammaticality", "it is for English, and the corpus is in German"),
        ("de", "m2", "needs gold edits, and the corpus has none: add references as M2 files"),
        ("en", "gleu", "needs references, and the corpus has none"),
        ("en", "errant", "needs references or gold edits, and the corpus has none"),
    ],
)
def test_missing_needs_of_metrics_are_reported(language: str, metric: str, said: str) -> None:
    corpus = small_corpus(
        "plain", language=language, sentences=[sentence("He go .", "He goes .", "He go .", "")]
    )
    with pytest.raises(ScoresRefusedError, match=said):
        scored(corpus, "ld-source", metric)
    assert not ScoreSet.objects.exists()


def test_a_corpus_that_goes_meanwhile_is_not_scored() -> None:
    corpus = edited_corpus()
    Corpus.objects.update(state=CorpusState.DELETING)
    with pytest.raises(ScoresRefusedError, match="has just been deleted"):
        scored(corpus, "gleu")
    assert not ScoreSet.objects.exists()


def test_scores_stored_by_another_worker_meanwhile_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one stores all outputs between our looking for them and our storing them."""
    corpus = edited_corpus()
    store = stored_rows.store_piece
    others: list[str] = []

    def late(*about: object) -> None:
        if not others:
            others.append("scored")
            monkeypatch.setattr(scoring, "store_piece", store)
            scored(corpus, "gleu")
            monkeypatch.setattr(scoring, "store_piece", late)
            raise IntegrityError
        store(*about)  # type: ignore[arg-type]

    monkeypatch.setattr(scoring, "store_piece", late)
    scored(corpus, "gleu")
    assert others == ["scored"]
    assert OutputScore.objects.count() == 9
    assert ScoreSet.objects.get().pieces.count() == 1


@pytest.mark.any_database
def test_pieces_give_the_same_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {name: values_of(scores_of(edited_corpus(f"in one {name}"), name)) for name in ALL_KINDS}
    monkeypatch.setattr(scoring, "OUTPUTS_PER_PIECE", 2)
    for name in ALL_KINDS:
        score_set = scores_of(edited_corpus(f"in pieces {name}"), name)
        assert score_set.pieces.count() == 5
        assert values_of(score_set) == whole[name]


def test_arrays_of_a_corpus() -> None:
    corpus = edited_corpus()
    Production.objects.filter(system__name="Cedar", sentence__position=2).delete()
    outputs = corpus_outputs(corpus)
    assert outputs.sentences == 3
    assert_array_equal(outputs.positions, [0, 1, 2])
    assert list(outputs.systems) == ["Alder", "Birch", "Cedar", "INPUT"]
    texts = texts_of(corpus, outputs)
    read = {
        name: [texts[number] if number >= 0 else None for number in picks.tolist()]
        for name, (_, picks) in outputs.systems.items()
    }
    assert read["Birch"] == [record.outputs["Birch"] for record in EDITED]
    assert read["Cedar"] == ["She went home .", "", None]


def test_loading_takes_the_same_queries_whatever_the_size(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    score_set = ScoreSet.objects.select_related("corpus").get(pk=scores_of(edited_corpus(), "gleu").pk)
    with django_assert_num_queries(6):
        scored_of(score_set)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    edited_corpus()
    call_command("score_corpus", "edited", "--metric", "exact-match", "m2:beta=1")
    out = capsys.readouterr().out
    assert "2 metrics: 18 scores of outputs computed, 0 already stored." in out
    assert "Exact match" in out
    assert "M2 (MaxMatch) (beta=1)" in out
    assert "m2|beta:1|max-unchanged:2" in out


def test_reading_an_evaluation_set_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    class StoppedError(Exception):
        """Somebody cancelled the work."""

    def stop() -> None:
        raise StoppedError

    corpus = edited_corpus()
    evaluation_set(corpus, step=stop)  # too short to be asked
    monkeypatch.setattr("core.progress.MANY", 1)
    with pytest.raises(StoppedError):
        evaluation_set(corpus, step=stop)
