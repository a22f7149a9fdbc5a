"""Controls, sources and references join a corpus as systems."""

from collections.abc import Callable

import pytest
from pytest_django import Settings

from annotate.corpora import adding_controls, staged_systems
from annotate.corpora.adding_controls import ControlsRefusedError, make_controls
from annotate.corpora.queries import texts
from annotate.design.controls import make_control, with_errors
from annotate.design.controls.sentence import Error, ErrorKind
from annotate.models import Corpus, InsertedError, Output, Production, SystemRole
from tests.annotate.faults import crash, fail_at, press_ctrl_c
from tests.annotate.running import running
from tests.annotate.samples import SENTENCES, no_progress, sentence, small_corpus
from tests.annotate.tables import contents

pytestmark = pytest.mark.django_db

CONTROL = "SOURCE+ERROR"


def add(corpus: Corpus, *additions: str, seed: int = 1) -> list[SystemRole]:
    return make_controls(corpus=corpus, seed=seed, additions=additions, progress=no_progress)


def given_to(corpus: Corpus, system: str) -> list[str | None]:
    """The system's outputs by sentence."""
    return [by_system.get(system) for by_system in texts(corpus).values()]


def test_each_sentence_gets_a_control_that_nobody_gave() -> None:
    corpus = small_corpus()
    others = [set(by_system.values()) for by_system in texts(corpus).values()]
    references = [{r.text for r in s.references.all()} for s in corpus.sentences.order_by("position")]
    assert add(corpus) == [SystemRole.CONTROL]
    assert corpus.systems.get(name=CONTROL).role == "control"
    for control, outputs, corrected in zip(given_to(corpus, CONTROL), others, references, strict=True):
        assert control
        assert control not in outputs | corrected


def test_kind_and_place_of_each_error_are_kept() -> None:
    corpus = small_corpus()
    add(corpus)
    for production in Production.objects.filter(system__name=CONTROL).select_related("output", "sentence"):
        errors = [
            Error(ErrorKind(error.kind), error.start, error.end, error.replacement)
            for error in production.errors.all()
        ]
        assert 1 <= len(errors) <= 2
        assert production.sentence.text
        assert production.output.text == with_errors(production.sentence.text, errors)


def test_progress_covers_making_and_storing() -> None:
    told: list[int] = []
    make_controls(corpus=small_corpus(), seed=1, progress=told.append)
    assert told == [*[0] * len(SENTENCES), len(SENTENCES)]


def test_the_seed_decides() -> None:
    made = [small_corpus(name) for name in ("one", "two", "three")]
    for corpus, seed in zip(made, (1, 1, 2), strict=True):
        add(corpus, "reference", seed=seed)
    one, two, three = (given_to(corpus, CONTROL) + given_to(corpus, "REFERENCE") for corpus in made)
    assert one == two != three


def test_nobody_can_compute_controls_without_the_secret_key(settings: Settings) -> None:
    sources = [
        f"She has lived in this city for {years} years , but she does not like the weather ."
        for years in ("two", "three", "four", "five", "six", "seven")
    ]
    corpus = small_corpus(sentences=[sentence(source, "", "", "") for source in sources])

    def made(key: str) -> list[str | None]:
        settings.SECRET_KEY = key
        make_controls(corpus=corpus, progress=no_progress)
        controls = given_to(corpus, CONTROL)
        corpus.systems.filter(name=CONTROL).delete()
        return controls

    first = made("a key")
    assert first == made("a key") != made("another key")
    guessed = [[make_control(source, [""], seed=seed).text for source in sources] for seed in range(20)]
    assert first not in guessed
    add(corpus, seed=1)
    assert given_to(corpus, CONTROL) == guessed[1]


def test_the_source_and_a_reference_of_each_sentence_join_too() -> None:
    corpus = small_corpus()
    corpus.systems.filter(name="INPUT").delete()
    assert add(corpus, "reference", "source") == ["source", "reference", "control"]
    assert given_to(corpus, "INPUT") == [record.source for record in SENTENCES]
    for drawn, record in zip(given_to(corpus, "REFERENCE"), SENTENCES, strict=True):
        assert drawn in {reference.text for reference in record.references} or not record.references
    assert corpus.systems.get(name="REFERENCE").role == "reference"


@pytest.mark.parametrize("additions", [[], ["source"]])
def test_a_system_that_is_identical_to_the_source_is_the_source(additions: list[str]) -> None:
    corpus = small_corpus()
    corpus.systems.filter(name="INPUT").update(role="system", name="Baseline")
    assert add(corpus, *additions) == [SystemRole.CONTROL]
    assert corpus.systems.get(role="source").name == "Baseline"
    assert not corpus.systems.filter(name="INPUT").exists()


def test_of_several_copies_of_the_source_the_one_called_input_is_it() -> None:
    same = [sentence("He go home .", "He go home .", "He goes home .", "He go home")]
    corpus = small_corpus(sentences=same)
    corpus.systems.update(role="system")
    assert add(corpus, "source") == [SystemRole.CONTROL]
    assert corpus.systems.get(role="source").name == "INPUT"
    assert corpus.systems.get(name="Alder").role == "system"


def test_a_system_that_lacks_a_sentence_is_not_the_source() -> None:
    corpus = small_corpus()
    corpus.systems.filter(name="INPUT").update(role="system", name="Baseline")
    Production.objects.filter(system__name="Baseline")[0].delete()
    assert add(corpus, "source") == [SystemRole.SOURCE, SystemRole.CONTROL]


def test_a_text_that_is_there_is_shared() -> None:
    corpus = small_corpus()
    before = Output.objects.count()
    add(corpus, "reference")
    assert Output.objects.count() == before + len(SENTENCES)  # The references are outputs of Alder and Cedar.


def test_existing_systems_are_kept() -> None:
    corpus = small_corpus()
    add(corpus)
    before = contents()
    assert add(corpus, "source", seed=7) == []
    assert contents() == before


def test_running_campaigns_notice_nothing() -> None:
    campaign = running()
    before = [list(item.item_outputs.values("output", "systems")) for item in campaign.items.all()]
    add(campaign.corpus)
    assert [list(item.item_outputs.values("output", "systems")) for item in campaign.items.all()] == before
    assert CONTROL not in campaign.systems.values_list("name", flat=True)


@pytest.mark.parametrize("fault", [crash, press_ctrl_c])
@pytest.mark.parametrize("table", [Output, Production, InsertedError])
def test_a_failure_leaves_nothing(
    fault: Callable[[], None], table: type[Output], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adding_controls, "SENTENCES_PER_PIECE", 2)
    corpus = small_corpus()
    before = contents()
    fail_at(monkeypatch, table, 2, fault)
    with pytest.raises((RuntimeError, KeyboardInterrupt)):
        add(corpus, "reference")
    corpus.refresh_from_db()
    before[Corpus][0]["touched_at"] = corpus.touched_at
    assert contents() == before


def test_a_half_made_system_cannot_be_chosen_and_the_next_run_replaces_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(adding_controls, "SENTENCES_PER_PIECE", 2)
    corpus, whole = small_corpus(), small_corpus("whole")
    with monkeypatch.context() as killed:
        killed.setattr(staged_systems, "_discard_unfinished", lambda corpus: None)
        fail_at(killed, Production, 2, crash)
        with pytest.raises(RuntimeError):
            add(corpus, seed=5)
    assert not corpus.systems.get(name=CONTROL).is_whole
    assert Production.objects.filter(system__corpus=corpus, system__name=CONTROL).count() == 2
    add(corpus)
    add(whole)
    assert given_to(corpus, CONTROL) == given_to(whole, CONTROL)
    assert Output.objects.filter(sentence__corpus=corpus, productions=None).count() == 0


def test_a_run_that_another_one_overtakes_leaves_the_work_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adding_controls, "SENTENCES_PER_PIECE", 2)
    corpus = small_corpus()

    def overtake(stored: int) -> None:
        if stored:
            add(Corpus.objects.get(pk=corpus.pk), seed=3)

    with pytest.raises(ControlsRefusedError, match="Someone else is making the controls of 'small'"):
        make_controls(corpus=corpus, seed=1, progress=overtake)
    other = small_corpus("other")
    add(other, seed=3)
    assert given_to(corpus, CONTROL) == given_to(other, CONTROL)


@pytest.mark.parametrize(
    ("changes", "additions", "why"),
    [
        ({"has_texts": False}, [], "has no texts"),
        ({"state": "deleting"}, [], "has just been deleted"),
    ],
)
def test_a_corpus_that_is_not_for_it_is_refused(
    changes: dict[str, object], additions: list[str], why: str
) -> None:
    corpus = small_corpus()
    Corpus.objects.update(**changes)
    corpus.refresh_from_db()
    before = contents()
    with pytest.raises(ControlsRefusedError, match=why):
        add(corpus, *additions)
    assert contents() == before


def test_without_references_none_can_be_drawn() -> None:
    corpus = small_corpus(sentences=[sentence("He go home .", "He goes home .", "He go home .", "")])
    with pytest.raises(ControlsRefusedError, match="no references to draw from"):
        add(corpus, "reference")
    assert not corpus.systems.filter(role="control").exists()


def test_a_name_that_is_taken_is_refused_and_what_is_advised_works() -> None:
    corpus = small_corpus()
    corpus.systems.filter(name="INPUT").delete()
    corpus.systems.filter(name="Alder").update(name="Input")
    with pytest.raises(ControlsRefusedError, match="has a system Input that is not its source") as refusal:
        add(corpus, "source")
    assert "again without adding the source" in str(refusal.value)
    assert add(corpus) == [SystemRole.CONTROL]
