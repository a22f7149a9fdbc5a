"""Extracts and stores the edits of outputs and references that have none, by ERRANT or by their form."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotate.database.staging import pieces, short_transaction, stays
from annotate.models import Corpus, EditLabels, Output, OutputEdit, Production, Reference, ReferenceEdit
from annotate.models.edits import NONE
from annotate.scores.metric_setup import form_edits
from assay import __version__
from core.progress import Advance
from core.wording import counted
from jobs.refusals import RefusedError
from metrics import GoldEdit, InputError, NotScored, Parser
from metrics.base.evaluation_sets import EditRules
from metrics.edits.edit_extraction import Extraction
from metrics.edits.edit_sources import MARKS, corrected_words
from metrics.edits.errant_edits import errant_signature
from metrics.edits.errant_types import DETECTED_ONLY, TYPES
from metrics.english.spacy_pipelines import PipelineError

SENTENCES_AT_ONCE = 1_000
"""Number of sentences parsed together: enough to be worth starting several processes."""

TEXTS_PER_PIECE = 500
SENTENCES_PER_DELETION = 50
ROWS_AT_ONCE = 5_000


class LabellingRefusedError(RefusedError):
    """The edits of the corpus cannot be labelled; the message says why."""


@dataclass(frozen=True, slots=True)
class LabellingPlan:
    """Plan of labelling.

    Attributes:
        corpus: corpus of the texts.
        parser: an English pipeline.
        rules: what finds edits in place of ERRANT; None for English.
        gold_is_given: whether references keep their imported edits.
        signature: how edits are extracted.
        texts: number of outputs and references without labels of this signature.
    """

    corpus: Corpus
    parser: Parser
    rules: EditRules | None
    gold_is_given: bool
    signature: str
    texts: int

    @property
    def parts(self) -> int:
        """The total that `progress` counts up to: each text is parsed, and then its edits are stored."""
        return 2 * self.texts


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """An output or a reference without labels.

    Attributes:
        row: its row.
        source: its sentence.
        corrected: the text whose edits are to be extracted.
        known: edits that it already has.
    """

    row: Output | Reference
    source: str
    corrected: str
    known: tuple[GoldEdit, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether edits must be extracted."""
        return self.corrected.split() != self.source.split()


def plan_labelling(corpus: Corpus, parser: Parser) -> LabellingPlan:
    """Plan the labelling, by ERRANT for English and by the form of edits for other languages.

    References keep their imported edits if all types are ERRANT's, as in the default of the metric `errant`;
    otherwise edits are extracted from their texts. In both cases, edits that only mark an error have the type
    "UNK".

    Raises:
        LabellingRefusedError: the corpus is unsuitable, or the pipeline does not exist.
    """
    if not corpus.has_texts:
        raise LabellingRefusedError(
            f"Corpus {corpus.name!r} has no texts. Import it again, with its sentences."
        )
    if not corpus.has_tokens:
        raise LabellingRefusedError(
            f"The sentences of {corpus.name!r} are not tokenised, so edits of words cannot be shown. Import "
            "tokens between blanks."
        )
    rules = None if corpus.may_be_english else form_edits(corpus.language)
    try:
        how = (
            f"edits:{errant_signature()}|pipeline:{parser.signature}"
            if rules is None
            else f"edits:{rules.signature}|pipeline:none"
        )
    except (InputError, PipelineError) as error:
        raise LabellingRefusedError(f"No edits were labelled: {error}.") from error
    given = _gold_is_given(corpus)
    gold = "given" if given else "extracted"
    signature = f"gold:{gold}|{how}|assay:{__version__}"
    outputs, references = _outputs(corpus), _references(corpus)
    if EditLabels.objects.filter(corpus=corpus, signature=signature).exists():
        outputs, references = _unlabelled_outputs(corpus), _unlabelled_references(corpus)
    return LabellingPlan(corpus, parser, rules, given, signature, outputs.count() + references.count())


def label_edits(plan: LabellingPlan, *, progress: Advance) -> EditLabels:
    """Carry out the plan in short pieces; the next run continues a killed one.

    Labels of another signature (such as another pipeline) are deleted first.

    Raises:
        LabellingRefusedError: the corpus was deleted meanwhile, another pipeline has taken over, or a parsing
            process has ended.
    """
    sentences = list(plan.corpus.sentences.order_by("position").values_list("pk", flat=True))
    _begin(plan, sentences, progress)
    extraction = plan.rules or Extraction(plan.parser)
    for keys in pieces(sentences, SENTENCES_AT_ONCE):
        texts = _unlabelled_texts(plan, keys)
        _parse(plan, texts, progress)
        for piece in pieces(texts, TEXTS_PER_PIECE):
            labelled = [(text, _edits(extraction, text)) for text in piece]
            with _piece(plan) as labels:
                _store_edits(labels, labelled)
            progress(len(piece))
    with _piece(plan) as labels:
        labels.is_whole = True
    return labels


def summary(labels: EditLabels) -> str:
    """The number of labelled texts in one sentence."""
    edits = counted(sum(labels.types.values()), "edit")
    return f"{edits} of {counted(labels.outputs, 'output')} and {counted(labels.references, 'reference')}."


def _gold_is_given(corpus: Corpus) -> bool:
    """Whether all references have edits, and all their types are ERRANT's."""
    rows = _references(corpus).values_list("edits", flat=True)
    has_any = False
    for edits in rows.iterator(ROWS_AT_ONCE):
        has_any = True
        if edits is None or any(kind not in TYPES for _, _, kind, *_ in edits):
            return False
    return has_any


def _outputs(corpus: Corpus) -> QuerySet[Output]:
    """Outputs with a text, by complete systems."""
    whole = Production.objects.filter(output=OuterRef("pk"), system__is_whole=True)
    return Output.objects.filter(Exists(whole), sentence__corpus=corpus, text__isnull=False)


def _references(corpus: Corpus) -> QuerySet[Reference]:
    return Reference.objects.filter(sentence__corpus=corpus)


def _unlabelled_outputs(corpus: Corpus) -> QuerySet[Output]:
    return _outputs(corpus).filter(~Exists(OutputEdit.objects.filter(output=OuterRef("pk"))))


def _unlabelled_references(corpus: Corpus) -> QuerySet[Reference]:
    return _references(corpus).filter(~Exists(ReferenceEdit.objects.filter(reference=OuterRef("pk"))))


def _begin(plan: LabellingPlan, sentences: Sequence[int], progress: Advance) -> None:
    """Create the row for labels of this signature, and delete labels of another signature."""
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
    """A short transaction that saves the labels at its end."""
    with short_transaction():
        _refuse_unless_it_stays(plan.corpus)
        labels = EditLabels.objects.select_for_update().get(corpus=plan.corpus)
        if labels.signature != plan.signature:
            raise LabellingRefusedError(
                f"The edits of {plan.corpus.name!r} are being labelled with another pipeline right now. "
                "Wait until that is done; they will appear on the corpus page."
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


def _parse(plan: LabellingPlan, texts: Sequence[_Text], progress: Advance) -> None:
    """Parse all texts to be compared together, if ERRANT reads them."""
    changed = [text for text in texts if text.differs and plan.rules is None]
    try:
        plan.parser.parse([text.source for text in changed], progress=lambda parsed: progress(0))
        plan.parser.parse([text.corrected for text in changed], progress=progress)
    except PipelineError as error:
        raise LabellingRefusedError(f"Labelling has stopped: {error}.") from error
    progress(len(texts) - len(changed))


def _edits(extraction: Extraction | EditRules, text: _Text) -> list[GoldEdit]:
    """Edits in the order of the source; none if the text is too long for ERRANT."""
    try:
        edits = extraction.edits(text.source, text.corrected)
    except InputError as error:
        raise LabellingRefusedError(f"Labelling has stopped: {error}.") from error
    if isinstance(edits, NotScored):
        return []
    return sorted([*text.known, *edits], key=lambda edit: (edit.start, edit.end))


def _store_edits(labels: EditLabels, found: Sequence[tuple[_Text, Sequence[GoldEdit]]]) -> None:
    """Store and count edits, except for texts that another run has stored meanwhile."""
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
    """The columns shared by all rows of a text."""
    rows = [(edit.kind, edit.start, edit.end, edit.corrections[0]) for edit in edits] or [(NONE, 0, 0, "")]
    columns = ("type", "start", "end", "correction")
    return [{"sentence_id": text.row.sentence_id, **dict(zip(columns, row, strict=True))} for row in rows]
