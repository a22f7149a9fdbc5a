"""The edits of a corpus are labelled with ERRANT's types: once, in pieces, and by one pipeline."""

import pytest
from pytest_django import DjangoAssertNumQueries

from annotate.corpora import labelling
from annotate.corpora.adding_controls import make_controls
from annotate.corpora.edit_filter import EditFilter, with_edits
from annotate.corpora.labelling import LabellingRefusedError, label_edits, plan_labelling, summary
from annotate.corpora.queries import unlabelled_outputs
from annotate.corpora.sentences import sentences, shown
from annotate.models import Corpus, EditLabels, OutputEdit, ReferenceEdit
from annotate.web.highlight import LabelledEdit
from formats import Edit, Reference
from metrics import EvaluationSet, metric_from_text, score
from metrics.english.spacy_pipelines import EnglishPipeline
from tests.annotate.labelled import ToyExtraction, ToyPipeline, label
from tests.annotate.samples import SENTENCES, no_progress, sentence, small_corpus
from tests.annotate.tables import contents

pytestmark = pytest.mark.django_db

OUTPUTS = 3 + 4 + 1 + 3
REFERENCES = 4
GOES = LabelledEdit(1, 2, "R:VERB:SVA", "goes")
WENT = LabelledEdit(1, 2, "R:VERB:TENSE", "went")


@pytest.fixture(autouse=True)
def toy_extraction(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No parser but where a test asks for one."""
    if "pipeline" not in request.fixturenames:
        monkeypatch.setattr(labelling, "Extraction", ToyExtraction)


@pytest.fixture(scope="module")
def pipeline() -> EnglishPipeline:
    """The one that ships."""
    return EnglishPipeline()


def rows() -> list[tuple[object, ...]]:
    """The stored edits, without their keys."""
    columns = ("sentence", "type", "start", "end", "correction")
    return sorted(
        [
            *OutputEdit.objects.values_list("output__text", *columns),
            *ReferenceEdit.objects.values_list("reference__annotator", *columns),
        ]
    )


def of_references(*references: Reference, source: str = "She go home .") -> list[list[LabelledEdit]]:
    """Labels of the references of a corpus of one sentence."""
    corpus = small_corpus(sentences=[sentence(source, references=references)])
    label(corpus)
    [row] = shown(sentences(corpus))
    return [list(each.labelled_edits or ()) for each in row.references]


def m2_edit(start: int, end: int, kind: str, correction: str) -> Edit:
    return Edit(start, end, kind, (correction,), "REQUIRED", "")


def test_outputs_and_references_are_labelled() -> None:
    corpus = small_corpus()
    labels = label(corpus)
    first, second, third, _ = shown(sentences(corpus))
    assert [output.labelled_edits for output in first.outputs] == [[], [GOES], [WENT]]
    assert [reference.labelled_edits for reference in first.references] == [[GOES], [WENT]]
    assert second.outputs[3].labelled_edits == [LabelledEdit(0, 5, "U:OTHER", "")]
    assert third.references[0].labelled_edits == []
    assert (labels.outputs, labels.references, labels.is_whole) == (OUTPUTS, REFERENCES, True)
    assert labels.annotators == ["0", "1"]
    assert labels.types == {
        "R:VERB:SVA": 1 + 2 + 2 + 1 + 1,
        "R:VERB:TENSE": 2,
        "R:NOUN:NUM": 2,
        "R:CONJ": 1,
        "U:OTHER": 2,
    }
    assert summary(labels) == f"14 edits of {OUTPUTS} outputs and {REFERENCES} references."
    assert labels.signature.startswith("gold:extracted|edits:errant-")
    assert "|pipeline:toy-1|assay:" in labels.signature


def test_nothing_is_labelled_before() -> None:
    first, *_ = shown(sentences(small_corpus()))
    assert {output.labelled_edits for output in first.outputs} == {None}
    assert {reference.labelled_edits for reference in first.references} == {None}


def test_only_new_outputs_are_labelled() -> None:
    corpus = small_corpus()
    label(corpus)
    before = contents()
    assert plan_labelling(corpus, ToyPipeline()).texts == 0
    label(corpus)
    assert contents() == before
    make_controls(corpus=corpus, seed=1, progress=no_progress)
    labels = EditLabels.objects.get()
    assert unlabelled_outputs(corpus, labels) == plan_labelling(corpus, ToyPipeline()).texts == len(SENTENCES)
    labels = label(corpus)
    assert unlabelled_outputs(corpus, labels) == 0
    assert labels.outputs == OUTPUTS + len(SENTENCES)
    kept = {row["id"] for row in before[OutputEdit]}
    assert kept < set(OutputEdit.objects.values_list("pk", flat=True))


def test_a_run_that_was_killed_is_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelling, "TEXTS_PER_PIECE", 2)
    monkeypatch.setattr(labelling, "SENTENCES_AT_ONCE", 3)
    corpus = small_corpus()
    stored: list[int] = []

    def die(parts: int) -> None:
        stored.append(OutputEdit.objects.count())
        if stored[-1] > 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        label_edits(plan_labelling(corpus, ToyPipeline()), progress=die)
    halfway = EditLabels.objects.get()
    assert 0 < halfway.outputs < OUTPUTS
    assert not halfway.is_whole
    labels = label(corpus)
    continued = rows()
    assert (labels.outputs, labels.references, labels.is_whole) == (OUTPUTS, REFERENCES, True)
    EditLabels.objects.all().delete()
    OutputEdit.objects.all().delete()
    ReferenceEdit.objects.all().delete()
    assert label(corpus).types == labels.types
    assert rows() == continued


def test_progress_counts_each_text_twice() -> None:
    told: list[int] = []
    plan = plan_labelling(small_corpus(), ToyPipeline())
    label_edits(plan, progress=told.append)
    assert sum(told) == plan.parts == 2 * (OUTPUTS + REFERENCES)


def test_labels_of_another_pipeline_are_replaced() -> None:
    corpus = small_corpus()
    label(corpus)
    before = rows()
    labels = label(corpus, ToyPipeline("toy-2"))
    assert "toy-2" in labels.signature
    assert labels.outputs == OUTPUTS
    assert rows() == before


def test_a_pipeline_that_is_overtaken_stops() -> None:
    corpus = small_corpus()
    plan = plan_labelling(corpus, ToyPipeline())

    def overtake(parts: int) -> None:
        EditLabels.objects.update(signature="another")

    with pytest.raises(LabellingRefusedError, match="with another pipeline right now"):
        label_edits(plan, progress=overtake)
    assert not OutputEdit.objects.exists()


def test_edits_with_errants_types_are_kept_as_they_are() -> None:
    given = Reference("0", "She goes to home .", (m2_edit(1, 2, "R:VERB", "goes to"),))
    assert of_references(given) == [[LabelledEdit(1, 2, "R:VERB", "goes to")]]
    assert "gold:given" in EditLabels.objects.get().signature


@pytest.mark.parametrize(
    "other", [Reference("1", "She went home .", None), Reference("1", "x", (m2_edit(0, 4, "Wci", "x"),))]
)
def test_one_reference_without_errants_types_has_all_extracted(other: Reference) -> None:
    given = Reference("0", "She goes home .", (m2_edit(1, 2, "R:VERB", "goes"),))
    assert of_references(given, other)[0] == [GOES]
    assert "gold:extracted" in EditLabels.objects.get().signature


def test_detection_edits_are_no_corrections() -> None:
    marked = (m2_edit(1, 2, "Vform", "goes"), m2_edit(2, 3, "Um", ""), m2_edit(3, 4, "Um", "."))
    assert of_references(Reference("0", "She goes .", marked)) == [[GOES, LabelledEdit(2, 3, "UNK", "")]]


def test_a_text_that_is_too_long_for_errant_has_no_labels(pipeline: EnglishPipeline) -> None:
    """More than 200 words in a row are changed."""
    corpus = small_corpus(sentences=[sentence("It is .", " ".join(["x"] * 250), "It was .")])
    labels = label_edits(plan_labelling(corpus, pipeline), progress=no_progress)
    [row] = shown(sentences(corpus))
    by_system = {output.systems[0]: output.labelled_edits for output in row.outputs}
    assert by_system == {"INPUT": [], "Alder": [], "Birch": [LabelledEdit(1, 2, "R:VERB:TENSE", "was")]}
    assert labels.outputs == 3


@pytest.mark.parametrize("system", ["INPUT", "Alder", "Birch", "Cedar"])
def test_edits_are_missed_and_wrong_as_the_metric_counts_them(pipeline: EnglishPipeline, system: str) -> None:
    with_one = [
        sentence(each.source, *list(each.outputs.values())[1:], references=each.references[-1:])
        for each in SENTENCES[:3]
    ]
    corpus = small_corpus(sentences=with_one)
    label_edits(plan_labelling(corpus, pipeline), progress=no_progress)
    data = EvaluationSet(
        tuple(each.source for each in with_one),
        tuple(tuple(reference.text for reference in each.references) for each in with_one),
        parser=pipeline,
    )
    counts = score(metric_from_text("errant"), data, {"x": [each.outputs[system] for each in with_one]})
    tp, fp, fn = counts.rows.values[counts.picks["x"], 0, :3].T

    def positions(outcome: str) -> list[int]:
        asked = EditFilter(system=system, outcome=outcome)
        return [row.position for row in with_edits(sentences(corpus), corpus, asked)]

    assert positions("hit") == tp.nonzero()[0].tolist()
    assert positions("wrong") == fp.nonzero()[0].tolist()
    assert positions("missed") == fn.nonzero()[0].tolist()


@pytest.mark.parametrize(
    ("language", "has_texts", "why"),
    [("zh-TW", True, "are not tokenised"), ("en", False, "has no texts")],
)
def test_a_corpus_that_is_not_for_it_is_refused(language: str, has_texts: bool, why: str) -> None:
    corpus = small_corpus(language=language)
    corpus.has_texts = has_texts
    with pytest.raises(LabellingRefusedError, match=why):
        plan_labelling(corpus, ToyPipeline())


def test_edits_of_another_language_are_typed_by_form_without_parsing() -> None:
    corpus = small_corpus(language="de-AT")
    labels = label_edits(plan_labelling(corpus, EnglishPipeline("en_missing")), progress=no_progress)
    assert labels.signature.startswith("gold:extracted|edits:forms-1|pipeline:none|assay:")
    assert set(labels.types) <= {"R:SPELL", "R:OTHER", "U:OTHER", "M:OTHER"}
    assert labels.types["R:SPELL"]


def test_a_pipeline_that_is_not_there_is_named() -> None:
    with pytest.raises(LabellingRefusedError, match="no English pipeline 'en_missing'"):
        plan_labelling(small_corpus(), EnglishPipeline("en_missing"))


def test_a_corpus_that_is_deleted_meanwhile_gets_no_labels() -> None:
    corpus = small_corpus()
    plan = plan_labelling(corpus, ToyPipeline())
    Corpus.objects.update(state="deleting")
    with pytest.raises(LabellingRefusedError, match="has just been deleted"):
        label_edits(plan, progress=no_progress)


def test_pieces_take_as_many_queries_whatever_they_hold(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    def label_many(number: int) -> None:
        many = [sentence(f"It {n} is .", f"It {n} was .") for n in range(number)]
        label(small_corpus(f"of {number}", sentences=many))

    for number in (1, 40):
        with django_assert_max_num_queries(60):
            label_many(number)
