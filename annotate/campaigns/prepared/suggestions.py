"""What programs suggest about outputs, from a file to the launch: see `formats.suggestions`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotate.database.staging import pieces
from annotate.design.protocols import PROTOCOLS, AnswerError, Protocol, options_of
from annotate.models import Campaign, Corpus, Design, Production, Suggestion
from formats.snapshot.answer_details import Details, details_fault
from formats.suggestions import SuggestionRecord, parse_suggestions
from formats.text.checks import quoted

LINES_AT_ONCE = 500

Suggestions = Mapping[int, Details]
"""By keys of outputs."""


def read_suggestions(
    corpus: Corpus, protocol: Protocol, options: Any, text: str, path: Path
) -> dict[int, Details]:
    """The suggestions in the text of a file, for a campaign of the corpus by the protocol with the options.

    Raises:
        FormatError: as `parse_suggestions`; a system or a sentence that the corpus lacks, another text than
            its output, what the protocol does not take, or two suggestions for outputs that are identical.
    """
    found: dict[int, Details] = {}
    first: dict[int, SuggestionRecord] = {}
    known = set(corpus.systems.values_list("name", flat=True))
    for piece in pieces(list(parse_suggestions(text, path)), LINES_AT_ONCE):
        outputs = _outputs(corpus, piece)
        for record in piece:
            if record.system not in known:
                raise record.place.fault(f"the corpus has no system {quoted(record.system)}")
            if (record.system, record.sentence) not in outputs:
                raise record.place.fault(f"{record.system} has no output for sentence {record.sentence}")
            output, shown = outputs[record.system, record.sentence]
            if record.text not in (None, shown):
                raise record.place.fault(f"the output of {record.system} is {quoted(shown)}")
            try:
                content = protocol.suggestion(record.content, shown, options)
            except AnswerError as error:
                raise record.place.fault(str(error)) from error
            if fault := details_fault(content):
                raise record.place.fault(fault)
            before = first.setdefault(output, record)
            if found.setdefault(output, content) != content:
                raise record.place.fault(
                    f"{record.system} has the same output for this sentence as {before.system}, for which "
                    f"line {before.place.line} suggests something else"
                )
    return found


def _outputs(corpus: Corpus, records: Sequence[SuggestionRecord]) -> dict[tuple[str, int], tuple[int, str]]:
    """The key and the text of each output that a line may be about, by system and sentence."""
    rows = Production.every.filter(
        system__corpus=corpus,
        system__name__in={record.system for record in records},
        sentence__position__in={record.sentence for record in records},
    ).values_list("system__name", "sentence__position", "output", "output__text")
    return {(system, position): (output, text or "") for system, position, output, text in rows}


def replace_suggestions(campaign: Campaign, suggestions: Suggestions) -> None:
    """Store these suggestions of a draft in place of its others. The caller has a transaction."""
    campaign.suggestions.all().delete()
    Suggestion.objects.bulk_create(
        (
            Suggestion(campaign=campaign, output_id=output, content=content)
            for output, content in suggestions.items()
        ),
        batch_size=LINES_AT_ONCE,
    )


def suggestions_of(campaign: Campaign, outputs: Sequence[int]) -> dict[int, Details]:
    """The suggestions for those of the outputs with these keys that have one."""
    rows = Suggestion.objects.filter(campaign_id=campaign.pk, output__in=outputs)
    return dict(rows.values_list("output", "content"))


def all_suggestions(campaign: Campaign) -> dict[int, Details]:
    """All suggestions of the campaign."""
    return dict(campaign.suggestions.values_list("output", "content"))


def suggestions_fault(campaign: Campaign, design: Design) -> str:
    """Why a draft with this design cannot have the suggestions that it has; empty if it can."""
    protocol = PROTOCOLS[campaign.protocol]
    options = options_of(campaign.protocol, design.protocol_options)
    rows = campaign.suggestions.values_list("content", "output__text", "output__sentence__position").order_by(
        "pk"
    )
    for content, text, position in rows.iterator():
        try:
            protocol.suggestion(content, text or "", options)
        except AnswerError as error:
            return f"What is suggested for sentence {position} does not fit these settings: {error}."
    return ""
