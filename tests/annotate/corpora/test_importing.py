from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from annotate.corpora import importing
from annotate.corpora.importing import CorpusPlan, plan_corpus, store_corpus
from annotate.database.staging import ImportRefusedError
from annotate.models import Corpus, CorpusState, Output, Production, Sentence, System
from annotate.models import Reference as StoredReference
from formats import Reference, SentenceRecord
from tests.annotate.faults import crash, fail_at, press_ctrl_c
from tests.annotate.samples import SENTENCES, corpus_record, no_progress, sentence, small_corpus
from tests.annotate.tables import contents

pytestmark = pytest.mark.django_db


def plan(**changes: Any) -> CorpusPlan:
    small = {"name": "small", "language": "en", "record": corpus_record(), "roles": {"INPUT": "source"}}
    return plan_corpus(**{**small, **changes})


def store(planned: CorpusPlan) -> Corpus:
    return store_corpus(planned, progress=no_progress)


def many(number: int) -> list[SentenceRecord]:
    return [sentence(f"Sentence {n} .", f"Sentence {n} !", f"Sentence {n} ?", "") for n in range(number)]


# --- What is stored -------------------------------------------------------------------------------


def test_sentences_keep_order_texts_documents_and_domains() -> None:
    corpus = small_corpus()
    assert list(corpus.sentences.values_list("position", "text", "document", "domain")) == [
        (0, "She go home .", "letter", "private"),
        (1, "I has two cat .", "letter", "private"),
        (2, "It is fine .", "report", ""),
        (3, "He like tea <b> & cake .", "report", ""),
    ]
    assert corpus.state == CorpusState.READY
    assert corpus.language == "en"
    assert corpus.has_texts


def test_identical_texts_of_a_sentence_are_one_output() -> None:
    corpus = small_corpus()
    collapsed = {
        output.text: sorted(output.systems.values_list("name", flat=True))
        for output in Output.objects.filter(sentence__corpus=corpus, sentence__position=0)
    }
    assert collapsed == {
        "She go home .": ["INPUT"],
        "She goes home .": ["Alder", "Birch"],
        "She went home .": ["Cedar"],
    }


def test_an_empty_text_is_an_output_like_any_other() -> None:
    small_corpus()
    assert [production.system.name for production in Production.objects.filter(output__text="")] == ["Cedar"]


def test_a_system_may_leave_sentences_out() -> None:
    small_corpus(sentences=[sentence("A .", "B ."), sentence("C .", "D .", "E .")])
    assert Production.objects.filter(system__name="Birch").count() == 1


def test_roles_are_stored_and_the_rest_are_systems() -> None:
    corpus = store(plan(roles={"INPUT": "source", "Cedar": "control"}))
    assert dict(corpus.systems.values_list("name", "role")) == {
        "Alder": "system",
        "Birch": "system",
        "Cedar": "control",
        "INPUT": "source",
    }


def test_references_keep_their_edits_and_their_absence() -> None:
    small_corpus()
    stored = StoredReference.objects.order_by("sentence__position", "annotator")
    assert list(stored.values_list("sentence__position", "annotator", "text", "edits")) == [
        (0, "0", "She goes home .", [[1, 2, "Vform", ["goes", "went"], "REQUIRED", ""]]),
        (0, "1", "She went home .", None),
        (1, "1", "I have two cats .", None),
        (2, "0", "It is fine .", []),
    ]


def test_markup_and_long_texts_are_stored_as_they_are() -> None:
    markup, long = "<script>alert('x')</script> & \\' %s {{ x }}", "word " * 999 + "end !"
    corpus = small_corpus(sentences=[sentence(markup, markup + "!"), sentence(long, "", long + "!")])
    assert list(corpus.sentences.values_list("text", flat=True)) == [markup, long]
    assert set(Output.objects.values_list("text", flat=True)) == {markup, markup + "!", long, "", long + "!"}
    assert len(long) == 5000


def test_texts_beyond_latin_are_stored_as_they_are() -> None:
    texts = ["Ich weiß 😀 .", "أنا ذاهب .", "我去学校。", "e\u0301 is not \u00e9"]
    corpus = small_corpus(language="mul", sentences=[sentence(text) for text in texts])
    assert list(corpus.sentences.values_list("text", flat=True)) == texts


# --- Twice, and under a taken name ----------------------------------------------------------------


def test_the_same_content_twice_changes_nothing() -> None:
    first = small_corpus()
    before = contents()
    again = plan()
    assert again.stored == first
    assert store(again) == first
    assert contents() == before


def test_the_order_in_which_systems_are_given_is_no_difference() -> None:
    first = small_corpus()
    turned = [
        SentenceRecord(
            record.source,
            dict(sorted(record.outputs.items(), reverse=True)),
            record.references,
            record.document,
            record.domain,
        )
        for record in SENTENCES
    ]
    assert plan(record=corpus_record(turned)).stored == first


@pytest.mark.parametrize(
    "changes",
    [
        {"language": "de"},
        {"roles": {}},
        {"roles": {"INPUT": "source", "Cedar": "control"}},
        {"record": corpus_record(SENTENCES[:3])},
        {"record": corpus_record([*SENTENCES[:3], sentence("He like tea .")])},
        {"record": corpus_record(SENTENCES[::-1])},
        {"record": corpus_record([*SENTENCES[:3], sentence(SENTENCES[3].source, document="report")])},
        {
            "record": corpus_record(
                [SentenceRecord("A", {}, (Reference("0", "B", None),), "", ""), *SENTENCES[1:]]
            )
        },
    ],
)
def test_other_content_under_the_same_name_is_refused(changes: dict[str, Any]) -> None:
    small_corpus()
    before = contents()
    with pytest.raises(
        ImportRefusedError, match="A corpus named 'small' already exists, with different content"
    ):
        plan(**changes)
    assert contents() == before


def test_the_same_content_may_have_two_names() -> None:
    assert small_corpus("one") != small_corpus("two")
    assert Sentence.objects.count() == 8


def test_of_two_imports_of_one_name_at_once_one_is_refused() -> None:
    first, second = plan(), plan()
    store(first)
    before = contents()
    with pytest.raises(ImportRefusedError, match="Another corpus has just taken the name 'small'"):
        store(second)
    assert contents() == before


# --- What is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        (
            {"Oak": "control"},
            "There is no system 'Oak' for the role control. Systems are: INPUT, Alder, Birch",
        ),
        ({"Alder": "boss"}, "'boss' is not a role; the roles are system, source, reference, control"),
        ({"Alder": "source"}, "System 'Alder' cannot be the source: it changes sentence 1"),
        ({"Birch": "source", "INPUT": "source"}, "Only one system can be the source"),
    ],
)
def test_roles_that_do_not_fit_are_refused(roles: dict[str, str], message: str) -> None:
    with pytest.raises(ImportRefusedError, match=message):
        plan(roles=roles)
    assert contents() == {}


@pytest.mark.parametrize("language", ["", "e", "en_GB", "en GB", "en\n", "-", "en-", "englishlanguage"])
def test_a_language_is_a_tag(language: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        plan(language=language)
    assert list(refusal.value.message_dict) == ["language"]
    assert contents() == {}


@pytest.mark.parametrize("language", ["en", "de-AT", "zh-Hant-TW", "und", "sr-Latn"])
def test_language_tags_of_all_kinds_are_welcome(language: str) -> None:
    assert plan(language=language).corpus.language == language


def test_a_language_can_be_named_in_english() -> None:
    assert plan(language="Norwegian Bokmål").corpus.language == "nb"


@pytest.mark.parametrize("name", ["", " ", " small", "small\n", "a\x00b", "a\x1bb", "x\udcff", "x" * 201])
def test_a_name_can_be_read_and_clicked(name: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        plan(name=name)
    assert list(refusal.value.message_dict) == ["name"]
    assert contents() == {}


# --- Pieces ---------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_every_piece_is_committed_before_the_next_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "SENTENCES_PER_PIECE", 3)
    seen = []

    def progress(stored: int) -> None:
        assert not connection.in_atomic_block
        seen.append((stored, Sentence.objects.count(), Corpus.objects.get().state))

    store_corpus(plan(record=corpus_record(many(7))), progress=progress)
    assert seen == [(3, 3, "importing"), (3, 6, "importing"), (1, 7, "importing")]
    assert Corpus.objects.get().state == "ready"


@pytest.mark.parametrize("table", [System, Sentence, Output, Production, StoredReference])
@pytest.mark.parametrize("fault", [crash, press_ctrl_c])
def test_a_failure_in_the_middle_leaves_nothing_and_can_be_repaired(
    table: type[Model], fault: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "SENTENCES_PER_PIECE", 1)
    small_corpus("other")
    before = contents()
    planned = plan()
    fail_at(monkeypatch, table, 1 if table is System else 3, fault)
    with pytest.raises((RuntimeError, KeyboardInterrupt)):
        store(planned)
    assert contents() == before
    assert store(planned).sentences.count() == 4


def queries_for(sentences: int) -> int:
    planned = plan(name=f"corpus of {sentences}", record=corpus_record(many(sentences)))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        store(planned)
    return len(queries)


def test_queries_grow_by_the_piece_and_not_by_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert queries_for(1) == queries_for(40)
    monkeypatch.setattr(importing, "SENTENCES_PER_PIECE", 4)
    one, two, three = queries_for(4), queries_for(8), queries_for(12)
    assert three - two == two - one > 0
