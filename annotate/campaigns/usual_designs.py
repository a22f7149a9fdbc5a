"""The design with which a new campaign begins: what its protocol declares, fitted to the corpus."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields

from annotate.campaigns.suitability import essays_fault, systems_fault
from annotate.design.practice import without_practice
from annotate.design.protocols import PROTOCOLS, Defaults, Protocol
from annotate.design.protocols.defaults import translated_lines, translated_paragraphs
from annotate.models import Campaign, Corpus, Design, StopsWhen, System
from annotate.web.interface_languages import in_language, usual_language
from core.parameters import parameter_fields, parameters_as_text
from core.wording import counted

ESSAYS_PER_SCREEN = 1
"""Corrections of an essay beside it, unless the protocol compares them: each is pages long."""

ESSAYS_PER_BATCH = 5
"""Screens of essays in a batch; each may take ten minutes."""


def why_not(protocol: Protocol, corpus: Corpus) -> str:
    """Why the corpus cannot be judged by the protocol; empty if it can."""
    if fault := essays_fault(protocol, corpus):
        return fault
    systems = corpus.systems.filter(is_whole=True).count()
    if systems >= protocol.least_systems:
        return ""
    return f"It needs {counted(protocol.least_systems, 'system')}, and the corpus has {systems or 'none'}."


def protocol_of_draft(campaign: Campaign, stated: Mapping[str, str]) -> Protocol:
    """The protocol of a draft that is changed: another one if it is `stated`; a follow-up keeps its own."""
    name = campaign.protocol if campaign.follows else stated.get("protocol", campaign.protocol)
    return PROTOCOLS.get(name, PROTOCOLS[campaign.protocol])


def others_than(protocol: Protocol, corpus: Corpus) -> list[Protocol]:
    """The other protocols by which the corpus can be judged."""
    return [each for each in PROTOCOLS.values() if each is not protocol and not why_not(each, corpus)]


def usual_systems(protocol: Protocol, systems: Sequence[System]) -> list[System]:
    """The systems that a new campaign asks about; all systems if too few have the usual roles."""
    if not protocol.most_outputs:
        return []
    chosen = [system for system in systems if system.role in protocol.roles]
    return list(systems) if systems_fault(protocol, len(chosen)) else chosen


def usual_design(protocol: Protocol, corpus: Corpus, systems: int) -> Design:
    """The design of a new campaign about this number of systems, not stored."""
    design = Design(**asdict(protocol.defaults), guidelines=usual_guidelines(protocol, corpus))
    shown = min(protocol.defaults.outputs_per_screen, protocol.most_outputs, systems)
    if corpus.holds_essays:
        shown = min(shown, ESSAYS_PER_SCREEN)
        design.marks_edits, design.batch_size = True, ESSAYS_PER_BATCH
    design.outputs_per_screen = max(shown, protocol.least_outputs)
    design.interface_language = usual_language(corpus.language)
    if not design.with_replacement:
        design.items = max(1, min(design.items, corpus.sentence_count))
    return design


def fit(design: Design, before: Protocol, usual: Design, corpus: Corpus) -> None:
    """Fit a draft's design to another protocol than `before`, of which `usual` is the usual design.

    All options that depend on the protocol get its usual values; guidelines that somebody wrote stay.
    """
    for each in fields(Defaults):
        setattr(design, each.name, getattr(usual, each.name))
    design.protocol_options = {}
    design.practice_needed = 0
    design.stops_when = StopsWhen.NEVER
    if design.guidelines in ("", usual_guidelines(before, corpus)):
        design.guidelines = usual.guidelines


def usual_guidelines(protocol: Protocol, corpus: Corpus) -> str:
    """The protocol's template. The practice items in it are in English, so other corpora get none.

    It is in the language of annotators' pages.
    """
    if corpus.may_be_english:
        return protocol.guidelines
    with in_language(usual_language(corpus.language)):
        return f"{translated_paragraphs(without_practice(protocol.guidelines).strip())}\n"


def usual_options(protocol: Protocol, corpus: Corpus) -> dict[str, str]:
    """The usual value of each of the protocol's options, by name.

    Scales and anchors are in the language of annotators' pages, as the guidelines are.
    """
    usual = parameters_as_text(protocol.options())
    if corpus.may_be_english:
        return usual
    written = [option.name for option in parameter_fields(protocol.options) if option.lines > 1]
    with in_language(usual_language(corpus.language)):
        return {**usual, **{name: translated_lines(usual[name]) for name in written}}
