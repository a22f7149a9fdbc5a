"""Evaluation set of a corpus for metrics: sources, references, gold edits, checker, pipeline."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any

from django.db.models import QuerySet

from annotate.models import Corpus, Origin, Reference
from annotate.scores.metric_setup import english_pipeline, form_edits
from annotate.scores.styles import annotators_of_style
from annotate.scores.tokens import tokeniser_of
from core.progress import stepping
from formats.digests import content_digest
from metrics import Annotation, AnyMetric, EvaluationSet, GoldEdit, InputError, Need, metric_class
from metrics.base.metric import number_of_references
from metrics.edits.edit_metric import EditMetric
from metrics.english.grammar_checkers import HarperChecker

LEFT_UNCHANGED = ("", Annotation("", ()))

GOLD_FIRST = frozenset({Need.GOLD_EDITS, Need.REFERENCES})


def evaluation_set(
    corpus: Corpus, *, judged: bool = True, style: str = "", step: Callable[[], None] = lambda: None
) -> EvaluationSet:
    """The sentences of a corpus with their references; without checker and pipeline.

    Texts of scripts without blanks are tokens (`annotate.scores.tokens`), so all their references count as
    texts. In languages other than English, edits are found by their form.

    Gold edits come from the references that have edits. Metrics that compare texts use the references without
    edits; if there are none, the texts that result from the edits, as `manage.py score` does. Collected
    references (`ReferenceSet`) count as both, and change nothing of how others count: a sentence to which
    only they give edits stays *left unchanged* by one more annotator.

    Args:
        corpus: corpus to score.
        judged: whether to include references that were outputs of systems.
        style: only references of this style; all if it is empty.
        step: called after each thousand references; an exception that it raises ends the work.

    Raises:
        InputError: the corpus has no sentences, or its tokeniser cannot be used.
    """
    tokeniser = tokeniser_of(corpus)
    sentences = dict(corpus.sentences.order_by("position").values_list("pk", "text"))
    plain: dict[int, list[str]] = defaultdict(list)
    edited: dict[int, list[tuple[str, Annotation]]] = defaultdict(list)
    collected: set[int] = set()
    texts: dict[int, list[str]] = defaultdict(list)
    references = _chosen(corpus, judged=judged, style=style)
    rows = references.values_list("sentence", "annotator", "text", "edits", "collected__reference_set")
    for sentence, annotator, text, edits, reference_set in stepping(rows.iterator(), step):
        if edits is None or not corpus.has_tokens:
            plain[sentence].append(tokeniser.tokens(text))
            continue
        if reference_set is not None:
            texts[sentence].append(text)
            if not edited[sentence]:
                collected.add(sentence)
        edited[sentence].append((text, _annotation(annotator, edits)))
    if len(collected) < len(edited):
        for sentence in collected:
            edited[sentence].insert(0, LEFT_UNCHANGED)
    if plain:
        for sentence, further in texts.items():
            plain[sentence] += further
    return EvaluationSet(
        sources=tuple(tokeniser.tokens(text or "") for text in sentences.values()),
        references=_references(sentences, plain, edited),
        annotations=_annotations(sentences, edited),
        edit_rules=None if corpus.may_be_english else form_edits(corpus.language),
        tokeniser=tokeniser.name,
    )


def _chosen(corpus: Corpus, *, judged: bool, style: str) -> QuerySet[Reference]:
    """The references to compare with, in the order in which they were stored."""
    references = Reference.objects.filter(sentence__corpus=corpus).order_by("pk")
    if style:
        references = references.filter(annotator__in=annotators_of_style(corpus, style))
    return references if judged else references.exclude(collected__reference_set__origin=Origin.JUDGED)


def _references(
    sentences: Iterable[int],
    plain: Mapping[int, list[str]],
    edited: Mapping[int, list[tuple[str, Annotation]]],
) -> tuple[tuple[str, ...], ...] | None:
    if plain:
        return tuple(tuple(plain.get(sentence, ())) for sentence in sentences)
    if edited:
        return tuple(tuple(text for text, _ in edited.get(sentence, ())) for sentence in sentences)
    return None


def _annotation(annotator: str, edits: Iterable[Sequence[Any]]) -> Annotation:
    return Annotation(
        annotator,
        tuple(GoldEdit(start, end, tuple(corrections), kind) for start, end, kind, corrections, *_ in edits),
    )


def _annotations(
    sentences: Iterable[int], edited: Mapping[int, list[tuple[str, Annotation]]]
) -> tuple[tuple[Annotation, ...], ...] | None:
    if not edited:
        return None
    return tuple(tuple(each for _, each in edited.get(sentence, ())) for sentence in sentences)


def equipped(data: EvaluationSet, metrics: Iterable[AnyMetric]) -> EvaluationSet:
    """The data with the checker and the English pipeline that the metrics need, which load on first use."""
    needs = {need for metric in metrics for need in metric.needs}
    return replace(
        data,
        checker=HarperChecker() if Need.CHECKER in needs else None,
        parser=english_pipeline() if Need.PARSER in needs and data.edit_rules is None else None,
    )


def compared_with(corpus: Corpus) -> frozenset[Need]:
    """Whether `evaluation_set` has references and gold edits, without reading them."""
    references = Reference.objects.filter(sentence__corpus=corpus)
    has_edits = references.filter(edits__isnull=False).exists()
    has_any = has_edits or references.exists()
    return frozenset([Need.REFERENCES] * has_any + [Need.GOLD_EDITS] * has_edits)


def why_not(metric: AnyMetric, corpus: Corpus, there: Collection[Need]) -> str:
    """Reason why the metric cannot score the corpus; empty if it can.

    Args:
        metric: with its parameters.
        corpus: corpus to score.
        there: result of `compared_with` for it.
    """
    if metric.is_for_english and not corpus.may_be_english:
        return f"it is for English, and the corpus is in {corpus.language_name}"
    if Need.GOLD_EDITS in metric.required and not corpus.has_tokens:
        return "its sentences have no tokens to which edits could belong: import them as tokens"
    if isinstance(metric, EditMetric):
        return "" if GOLD_FIRST & set(there) else _lacks("references or gold edits", "references")
    if Need.GOLD_EDITS in metric.required and Need.GOLD_EDITS not in there:
        return _lacks(Need.GOLD_EDITS, "references as M2 files")
    missing = [need for need in GOLD_FIRST & metric.required if need not in there]
    return _lacks(missing[0], "references") if missing else ""


def _lacks(needed: str, added: str) -> str:
    return f"needs {needed}, and the corpus has none: add {added} to use this metric"


def check_metric(metric: AnyMetric, corpus: Corpus) -> None:
    """Raise `InputError` if the metric cannot score the corpus."""
    if reason := why_not(metric, corpus, compared_with(corpus)):
        raise InputError(f"{metric.label} cannot score {corpus.name!r}: {reason}.")


def references_used(metric: AnyMetric, data: EvaluationSet) -> tuple[str, str]:
    """Number and digest of the references or gold edits that the metric uses; empty if it uses none.

    The number is, for example, "2", or "1-5" if sentences differ.
    """
    needs = GOLD_FIRST if isinstance(metric, EditMetric) else metric.required
    if Need.GOLD_EDITS in needs and data.annotations is not None:
        parts: Iterable[object] = ([astuple(each) for each in sentence] for sentence in data.annotations)
    elif Need.REFERENCES in needs and data.references is not None:
        parts = data.references
    else:
        return "", ""
    return number_of_references(needs, data), content_digest(parts)


def stated_name(metric: AnyMetric, parameters: Mapping[str, str]) -> str:
    """The metric in command-line form, with the parameters that differ from their defaults."""
    from core.parameters import parameters_as_text

    usual = parameters_as_text(metric_class(metric.name).Parameters())
    stated = [f"{name}={text}" for name, text in parameters.items() if usual.get(name) != text]
    return ":".join([metric.name, *stated])
