"""Labelling the edits of a corpus: found by ERRANT for outputs and references that have none, and stored."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotate.design.wording import counted
from annotate.models import Corpus, EditLabels, Output, OutputEdit, Production, Reference, ReferenceEdit
from annotate.models.edits import NONE
from annotate.storage.staging import Progress, pieces, short_transaction, stays
from assay import __version__
from jobs.refusals import RefusedError
from metrics import GoldEdit, NotScored, Parser
from metrics.edit_extraction import Extraction
from metrics.edit_sources import MARKS, corrected_words
from metrics.english_pipeline import PipelineError
from metrics.errant_edits import errant_signature
from metrics.errant_types import DETECTED_ONLY, TYPES

SENTENCES_AT_ONCE = 1_000
"""Sentences whose texts are parsed together, so that several processes are worth their start."""

TEXTS_PER_PIECE = 500
SENTENCES_PER_DELETION = 50
ROWS_AT_ONCE = 5_000


class LabellingRefusedError(RefusedError):
    """The edits of the corpus cannot be labelled; the message says why."""


@dataclass(frozen=True, slots=True)
class LabellingPlan:
    """What is to be labelled.

    Attributes:
        corpus: whose texts.
        parser: an English pipeline.
        gold_is_given: whether references keep the edits that they were imported with.
        signature: how edits are found.
        texts: number of outputs and references without labels of this signature.
    """

    corpus: Corpus
    parser: Parser
    gold_is_given: bool
    signature: str
    texts: int

    @property
    def parts(self) -> int:
        """The number of parts of which `progress` is told: each text is parsed, and its edits are stored."""
        return 2 * self.texts


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """An output or a reference that has no labels.

    Attributes:
        row: of it.
        source: its sentence.
        corrected: the text to which edits are to be found.
        known: edits that it has beside these.
    """

    row: Output | Reference
    source: str
    corrected: str
    known: tuple[GoldEdit, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether there are edits to be found."""
        return self.corrected.split() != self.source.split()


def plan_labelling(corpus: Corpus, parser: Parser) -> LabellingPlan:
    """Look at what there is to do.

    References keep the edits that they were imported with if all types of these are ERRANT's, as in the
    default of the metric `errant`; otherwise edits are found in their texts. In both cases edits that only
    mark an error have the type "UNK".

    Raises:
        LabellingRefusedError: the corpus is not for it, or there is no such pipeline.
    """
    if not corpus.has_texts:
        raise LabellingRefusedError(
            f"Corpus {corpus.name!r} has no texts. Import it again, with its sentences."
        )
    if not corpus.may_be_english:
        raise LabellingRefusedError(
            f"Corpus {corpus.name!r} is in {corpus.language!r}; ERRANT reads English. If its sentences are "
            "English, import it again under another name with the language en."
        )
    try:
        pipeline = parser.signature
    except PipelineError as error:
        raise LabellingRefusedError(f"No edits are labelled: {error}.") from error
    given = _gold_is_given(corpus)
    gold = "given" if given else "extracted"
    signature = f"gold:{gold}|edits:{errant_signature()}|pipeline:{pipeline}|assay:{__version__}"
    outputs, references = _outputs(corpus), _references(corpus)
    if EditLabels.objects.filter(corpus=corpus, signature=signature).exists():
        outputs, references = _unlabelled_outputs(corpus), _unlabelled_references(corpus)
    return LabellingPlan(corpus, parser, given, signature, outputs.count() + references.count())


def label_edits(plan: LabellingPlan, *, progress: Progress) -> EditLabels:
    """Do what the plan says, in short pieces; a run that was killed is continued by the next one.

    Labels of another signature, of another pipeline say, are deleted first.

    Raises:
        LabellingRefusedError: the corpus was deleted meanwhile, another pipeline has taken over, or a process
            that parses has ended.
    """
    sentences = list(plan.corpus.sentences.order_by("position").values_list("pk", flat=True))
    _begin(plan, sentences, progress)
    extraction = Extraction(plan.parser)
    for keys in pieces(sentences, SENTENCES_AT_ONCE):
        texts = _unlabelled_texts(plan, keys)
        _parse(plan.parser, texts, progress)
        for piece in pieces(texts, TEXTS_PER_PIECE):
            found = [(text, _edits(extraction, text)) for text in piece]
            with _piece(plan) as labels:
                _store(labels, found)
            progress(len(piece))
    with _piece(plan) as labels:
        labels.is_whole = True
    return labels


def summary(labels: EditLabels) -> str:
    """How much is labelled, in a sentence."""
    edits = counted(sum(labels.types.values()), "edit")
    return f"{edits} of {counted(labels.outputs, 'output')} and {counted(labels.references, 'reference')}."


def _gold_is_given(corpus: Corpus) -> bool:
    """Whether all references have edits, with ERRANT's types alone."""
    rows = _references(corpus).values_list("edits", flat=True)
    has_any = False
    for edits in rows.iterator(ROWS_AT_ONCE):
        has_any = True
        if edits is None or any(kind not in TYPES for _, _, kind, *_ in edits):
            return False
    return has_any


def _outputs(corpus: Corpus) -> QuerySet[Output]:
    """Those with a text that a whole system has produced."""
    whole = Production.objects.filter(output=OuterRef("pk"), system__is_whole=True)
    return Output.objects.filter(Exists(whole), sentence__corpus=corpus, text__isnull=False)


def _references(corpus: Corpus) -> QuerySet[Reference]:
    return Reference.objects.filter(sentence__corpus=corpus)


def _unlabelled_outputs(corpus: Corpus) -> QuerySet[Output]:
    return _outputs(corpus).filter(~Exists(OutputEdit.objects.filter(output=OuterRef("pk"))))


def _unlabelled_references(corpus: Corpus) -> QuerySet[Reference]:
    return _references(corpus).filter(~Exists(ReferenceEdit.objects.filter(reference=OuterRef("pk"))))


def _begin(plan: LabellingPlan, sentences: Sequence[int], progress: Progress) -> None:
    """Have a row for labels of this signature, and no labels of another one."""
    corpus = plan.corpus
    names = _references(corpus).order_by("annotator").values_list("annotator", flat=True).distinct()
    fresh = {"signature": plan.signature, "annotators": list(names)}
    with short_transaction():
        _refuse_unless_it_stays(corpus)
        labels, _ = EditLabels.objects.get_or_create(corpus=corpus, defaults=fresh)
        if labels.signature == plan.signature:
            return
        EditLabels(corpus=corpus, annotators=fresh["annotators"]).save(force_update=True)
    for keys in pieces(sentences, SENTENCES_PER_DELETION):
        with short_transaction():
            OutputEdit.objects.filter(sentence__in=keys).delete()
            ReferenceEdit.objects.filter(sentence__in=keys).delete()
        progress(0)
    EditLabels.objects.filter(corpus=corpus, signature="").update(signature=plan.signature)


@contextmanager
def _piece(plan: LabellingPlan) -> Iterator[EditLabels]:
    """One short transaction, at whose end the labels are saved."""
    with short_transaction():
        _refuse_unless_it_stays(plan.corpus)
        labels = EditLabels.objects.select_for_update().get(corpus=plan.corpus)
        if labels.signature != plan.signature:
            raise LabellingRefusedError(
                f"The edits of {plan.corpus.name!r} are being labelled with another pipeline at this moment. "
                "Wait until that is done; the page of the corpus shows them then."
            )
        yield labels
        labels.save()


def _refuse_unless_it_stays(corpus: Corpus) -> None:
    if not stays(corpus):
        raise LabellingRefusedError(f"The corpus {corpus.name!r} has just been deleted.")


def _unlabelled_texts(plan: LabellingPlan, sentences: Sequence[int]) -> list[_Text]:
    outputs = _unlabelled_outputs(plan.corpus).filter(sentence__in=sentences).select_related("sentence")
    references = _unlabelled_references(plan.corpus).filter(sentence__in=sentences)
    return [
        *(_Text(row, row.sentence.text or "", row.text or "") for row in outputs),
        *(_text_of(row, plan.gold_is_given) for row in references.select_related("sentence")),
    ]


def _text_of(reference: Reference, gold_is_given: bool) -> _Text:
    source = reference.sentence.text or ""
    if reference.edits is None:
        return _Text(reference, source, reference.text)
    words = source.split()
    edits = [
        GoldEdit(start, end, (corrections[0],), kind)
        for start, end, kind, corrections, *_ in reference.edits
        if words[start:end] != corrections[0].split()
    ]
    marks = tuple(replace(edit, kind=DETECTED_ONLY) for edit in edits if edit.kind in MARKS)
    applied = tuple(edit for edit in edits if edit.kind not in MARKS)
    if gold_is_given:
        return _Text(reference, source, source, (*applied, *marks))
    return _Text(reference, source, " ".join(corrected_words(words, applied)), marks)


def _parse(parser: Parser, texts: Sequence[_Text], progress: Progress) -> None:
    """Parse what is to be compared, all of it together."""
    changed = [text for text in texts if text.differs]
    try:
        parser.parse([text.source for text in changed], progress=lambda parsed: progress(0))
        parser.parse([text.corrected for text in changed], progress=progress)
    except PipelineError as error:
        raise LabellingRefusedError(f"No more edits are labelled: {error}.") from error
    progress(len(texts) - len(changed))


def _edits(extraction: Extraction, text: _Text) -> list[GoldEdit]:
    """In the order of the source; none where the text is too long for ERRANT."""
    found = extraction.edits(text.source, text.corrected)
    if isinstance(found, NotScored):
        return []
    return sorted([*text.known, *found], key=lambda edit: (edit.start, edit.end))


def _store(labels: EditLabels, found: Sequence[tuple[_Text, Sequence[GoldEdit]]]) -> None:
    """Store edits, but not those of texts that another run has stored meanwhile, and count them."""
    outputs, references = OutputEdit.objects.all(), ReferenceEdit.objects.all()
    keys = [text.row.pk for text, _ in found]
    labelled = set(outputs.filter(output__in=keys).values_list("output", flat=True))
    rows = outputs.bulk_create(
        OutputEdit(output=text.row, **values)
        for text, edits in found
        if isinstance(text.row, Output) and text.row.pk not in labelled
        for values in _values(text, edits)
    )
    labelled = set(references.filter(reference__in=keys).values_list("reference", flat=True))
    reference_rows = references.bulk_create(
        ReferenceEdit(reference=text.row, **values)
        for text, edits in found
        if isinstance(text.row, Reference) and text.row.pk not in labelled
        for values in _values(text, edits)
    )
    labels.outputs += len({row.output_id for row in rows})
    labels.references += len({row.reference_id for row in reference_rows})
    types = Counter(row.type for row in (*rows, *reference_rows) if row.type != NONE)
    labels.types = dict(types + Counter(labels.types))


def _values(text: _Text, edits: Sequence[GoldEdit]) -> list[dict[str, Any]]:
    """The columns of each row of a text."""
    rows = [(edit.kind, edit.start, edit.end, edit.corrections[0]) for edit in edits] or [(NONE, 0, 0, "")]
    columns = ("type", "start", "end", "correction")
    return [{"sentence_id": text.row.sentence_id, **dict(zip(columns, row, strict=True))} for row in rows]
