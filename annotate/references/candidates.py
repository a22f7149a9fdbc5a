"""Outputs that no reference contains, as the items of a campaign that asks whether they are valid."""

from annotate.campaigns.lifecycle import create_campaign
from annotate.campaigns.usual_designs import usual_design
from annotate.design.protocols import PROTOCOLS, Validity
from annotate.models import Campaign, Corpus, Production, Reference, SystemRole
from annotate.references.collecting import ReferencesRefusedError
from annotate.scores.corpus_outputs import NO_OUTPUT, corpus_outputs, texts_of
from formats.digests import text_digest
from metrics.references import UncoveredOutput, uncovered_outputs


def uncovered_in(corpus: Corpus) -> tuple[UncoveredOutput, ...]:
    """The outputs of the corpus's systems that no reference contains, those of most systems first.

    The source, references and controls are not systems to be scored, so their outputs are left out.
    """
    outputs = corpus_outputs(corpus)
    texts = texts_of(corpus, outputs)
    ordinary = corpus.systems.filter(role=SystemRole.SYSTEM, is_whole=True).values_list("name", flat=True)
    produced = {
        name: [None if pick == NO_OUTPUT else texts[pick] for pick in outputs.systems[name][1].tolist()]
        for name in ordinary
    }
    references: list[list[str]] = [[] for _ in range(outputs.sentences)]
    rows = Reference.objects.filter(sentence__corpus=corpus)
    for position, text in rows.values_list("sentence__position", "text"):
        references[position].append(text)
    return uncovered_outputs(references, produced)


def draft_validity_campaign(corpus: Corpus, *, name: str, most: int, annotators: int) -> Campaign:
    """A draft that asks whether the outputs that no reference contains are valid, the most frequent first.

    Args:
        corpus: whose systems' outputs are judged.
        name: of the campaign.
        most: how many outputs.
        annotators: how many people judge each.

    Raises:
        ReferencesRefusedError: references contain all outputs.
        ValidationError: the name is taken or malformed. CampaignError: the corpus is being deleted.
    """
    wanted = uncovered_in(corpus)[:most]
    if not wanted:
        raise ReferencesRefusedError(f"The references of {corpus.name!r} contain all outputs of its systems.")
    systems = corpus.systems.filter(name__in={name for each in wanted for name in each.systems})
    keys = {
        (position, digest): key
        for position, digest, key in Production.objects.filter(system__in=systems).values_list(
            "sentence__position", "output__digest", "output"
        )
    }
    design = usual_design(PROTOCOLS[Validity.name], corpus, len(systems))
    design.covers_outputs = False
    design.items = len(wanted)
    design.listed_outputs = [keys[each.sentence, text_digest(each.text)] for each in wanted]
    design.annotators_per_item = annotators
    return create_campaign(
        name=name, corpus=corpus, protocol=Validity.name, systems=list(systems), design=design
    )
