"""What a campaign's protocol fixes about outputs at the launch, from texts, edits and suggestions."""

from collections.abc import Iterable, Mapping, Sequence

from annotate.campaigns.prepared.suggestions import suggestions_of
from annotate.database.staging import pieces
from annotate.design.protocols import PROTOCOLS, AnswerError, KnownEdits, Prepared
from annotate.design.sampling import SamplingError
from annotate.models import Campaign, Output, OutputEdit, Reference
from annotate.models.edits import NONE
from formats.text.edit_spans import SpanEdit, span_of, words_of

OUTPUTS_AT_ONCE = 500


def prepared_outputs(campaign: Campaign, outputs: Sequence[int]) -> Mapping[int, Prepared]:
    """What the protocol fixes about the outputs with these keys; empty if it fixes nothing.

    Raises:
        SamplingError: it cannot ask about one of them.
    """
    protocol, options = PROTOCOLS[campaign.protocol], campaign.options
    if not (protocol.asks_about_edits or protocol.suggests):
        return {}
    fixed: dict[int, Prepared] = {}
    for keys in pieces(sorted(set(outputs)), OUTPUTS_AT_ONCE):
        rows = list(Output.objects.filter(pk__in=keys).select_related("sentence"))
        known = _known_edits(rows) if protocol.asks_about_edits else {}
        suggested = suggestions_of(campaign, keys) if protocol.suggests else {}
        for row in rows:
            source, text = row.sentence.text or "", row.text or ""
            edits, suggestion = known.get(row.pk), suggested.get(row.pk)
            try:
                fixed[row.pk] = protocol.prepared(source, text, edits, options, suggestion)
            except AnswerError as error:
                raise SamplingError(f"sentence {row.sentence.position}: {error}") from error
    return fixed


def _known_edits(outputs: Sequence[Output]) -> dict[int, KnownEdits]:
    """Edits by the key of their output: those of a reference with the same text before those of ERRANT."""
    sources = {output.pk: output.sentence.text or "" for output in outputs}
    labelled: dict[int, list[tuple[int, int, str, str]]] = {}
    rows = OutputEdit.objects.filter(output__in=list(sources)).order_by("start", "end")
    for key, start, end, kind, correction in rows.values_list("output", "start", "end", "type", "correction"):
        edits = labelled.setdefault(key, [])
        if kind != NONE:
            edits.append((start, end, kind, correction))
    known = {key: KnownEdits("errant", spans(sources[key], edits)) for key, edits in labelled.items()}
    by_text = {(output.sentence_id, output.text): output.pk for output in outputs}
    references = Reference.objects.filter(
        sentence__in={output.sentence_id for output in outputs}, edits__isnull=False
    )
    for reference in references.order_by("-annotator"):
        place = (reference.sentence_id, reference.text)
        if place in by_text:
            output = by_text[place]
            marked = ((start, end, kind, to[0]) for start, end, kind, to, *_ in reference.edits or ())
            known[output] = KnownEdits("m2", spans(sources[output], sorted(marked)))
    return known


def spans(source: str, edits: Iterable[tuple[int, int, str, str]]) -> tuple[SpanEdit, ...]:
    """Edits of tokens, each with start, end, type and correction, as spans of the source in code points.

    Edits that change nothing are left out.
    """
    tokens = words_of(source, unspaced=False)
    return tuple(
        SpanEdit(*span_of(tokens, start, end, len(source)), correction, kind)
        for start, end, kind, correction in edits
        if [token.text for token in tokens[start:end]] != correction.split()
    )
