"""Import of judgments that were collected elsewhere, as a campaign of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import chain

from annotate.digests import content_digest, systems_digest
from annotate.models import (
    Annotator,
    Campaign,
    CampaignState,
    Corpus,
    CorpusState,
    Item,
    ItemOutput,
    Judgment,
    Output,
    Rating,
    Revision,
    Sentence,
    System,
)
from annotate.resolution import ResolvedJudgment
from annotate.services.staging import (
    ImportRefusedError,
    Progress,
    being_imported,
    piece,
    pieces,
    staged,
    stored_before,
)
from annotate.snapshots import RELATIVE_RANKING

JUDGMENTS_PER_PIECE = 200


@dataclass(frozen=True, slots=True)
class JudgmentsPlan:
    """What an import would do.

    Attributes:
        campaign: as it would be stored.
        stored: the same judgments under the same name, where they are there already.
        corpus: what was judged; None makes a corpus without texts, of the campaign's name.
        judgments: what is to be stored.
    """

    campaign: Campaign
    stored: Campaign | None
    corpus: Corpus | None
    judgments: tuple[ResolvedJudgment, ...]

    @property
    def annotators(self) -> list[str]:
        """Names of the judges, sorted."""
        return sorted({judgment.annotator for judgment in self.judgments})

    @property
    def systems(self) -> list[str]:
        """Names of the systems that were judged, sorted."""
        return sorted(
            {name for judgment in self.judgments for rating in judgment.ratings for name in rating.systems}
        )


def plan_judgments(
    *, name: str, corpus: Corpus | None, judgments: tuple[ResolvedJudgment, ...], synthetic: bool
) -> JudgmentsPlan:
    """Compare what was read with what is stored.

    Raises:
        ImportRefusedError: the name is taken by other content.
        ValidationError: the name is malformed.
    """
    header = (corpus and (corpus.name, corpus.digest), synthetic)
    campaign = Campaign(
        name=name,
        corpus=corpus,
        protocol=RELATIVE_RANKING,
        state=CampaignState.IMPORTING,
        synthetic=synthetic,
        digest=content_digest(chain([header], map(astuple, judgments))),
    )
    stored = stored_before(campaign)
    if corpus is None and stored is None:
        _refuse_name_of_a_corpus(name)
    return JudgmentsPlan(campaign, stored, corpus, judgments)


def _refuse_name_of_a_corpus(name: str) -> None:
    """Judgments without a corpus make one of their own name, which must be free."""
    taken = Corpus.objects.filter(name=name).first()
    if taken is None:
        return
    if taken.state == CorpusState.IMPORTING:
        raise ImportRefusedError(being_imported(taken))
    raise ImportRefusedError(
        f"A corpus named {name!r} exists. Say --corpus {name} if it is what was judged, "
        "or choose another name."
    )


def store_judgments(plan: JudgmentsPlan, *, progress: Progress) -> Campaign:
    """Do what the plan says; `progress` is told the number of judgments stored by each piece.

    Raises:
        ImportRefusedError: somebody took the name since the plan was made.
    """
    if plan.stored:
        return plan.stored
    if plan.corpus is not None:
        return _store_campaign(plan, plan.corpus, progress)
    without_texts = Corpus(
        name=plan.campaign.name, language="und", has_texts=False, digest=plan.campaign.digest
    )
    with staged(without_texts) as corpus:
        _fill_corpus_without_texts(corpus, plan)
        return _store_campaign(plan, corpus, progress)


def _store_campaign(plan: JudgmentsPlan, corpus: Corpus, progress: Progress) -> Campaign:
    plan.campaign.corpus = corpus
    with staged(plan.campaign) as campaign:
        campaign.systems.set(System.objects.filter(corpus=corpus, name__in=plan.systems))
        annotators = {
            annotator.name: annotator
            for annotator in Annotator.objects.bulk_create(
                Annotator(campaign=campaign, name=name) for name in plan.annotators
            )
        }
        item_outputs = _store_items(campaign, plan.judgments)
        for answers in pieces(plan.judgments, JUDGMENTS_PER_PIECE):
            with piece(campaign):
                _store_answers(answers, annotators, item_outputs)
            progress(len(answers))
        with piece(campaign):
            corpus.state = CorpusState.READY
            corpus.save(update_fields=["state"])
            campaign.state = CampaignState.IMPORTED
            campaign.save(update_fields=["state"])
    return campaign


def _fill_corpus_without_texts(corpus: Corpus, plan: JudgmentsPlan) -> None:
    System.objects.bulk_create(System(corpus=corpus, name=name) for name in plan.systems)
    judged = sorted({judgment.sentence for judgment in plan.judgments})
    groups: dict[int, set[tuple[str, ...]]] = {position: set() for position in judged}
    for judgment in plan.judgments:
        groups[judgment.sentence].update(rating.systems for rating in judgment.ratings)
    for positions in pieces(judged, JUDGMENTS_PER_PIECE):
        with piece(corpus):
            sentences = Sentence.objects.bulk_create(
                Sentence(corpus=corpus, position=position) for position in positions
            )
            Output.objects.bulk_create(
                Output(sentence=sentence, digest=systems_digest(systems))
                for sentence in sentences
                for systems in sorted(groups[sentence.position])
            )


ItemOutputs = Mapping[int, tuple[Item, Mapping[str, ItemOutput]]]
"""The stored items by their number, with their outputs by digest."""


def _store_items(campaign: Campaign, judgments: Sequence[ResolvedJudgment]) -> ItemOutputs:
    examples = {judgment.item: judgment for judgment in judgments}
    sentences = dict(Sentence.objects.filter(corpus=campaign.corpus).values_list("position", "pk"))
    outputs = {
        (position, digest): pk
        for position, digest, pk in Output.objects.filter(sentence__corpus=campaign.corpus).values_list(
            "sentence__position", "digest", "pk"
        )
    }
    stored: dict[int, tuple[Item, dict[str, ItemOutput]]] = {}
    for numbers in pieces(sorted(examples), JUDGMENTS_PER_PIECE):
        with piece(campaign):
            items = Item.objects.bulk_create(
                Item(campaign=campaign, number=number, sentence_id=sentences[examples[number].sentence])
                for number in numbers
            )
            stored.update({item.number: (item, {}) for item in items})
            for item_output, digest in _store_item_outputs(items, examples, outputs):
                stored[item_output.item.number][1][digest] = item_output
    return stored


def _store_item_outputs(
    items: Sequence[Item],
    examples: Mapping[int, ResolvedJudgment],
    outputs: Mapping[tuple[int, str], int],
) -> list[tuple[ItemOutput, str]]:
    rated = [
        (item, rating)
        for item in items
        for rating in sorted(examples[item.number].ratings, key=lambda rating: rating.systems)
    ]
    created = ItemOutput.objects.bulk_create(
        ItemOutput(
            item=item,
            output_id=outputs[examples[item.number].sentence, rating.output],
            systems=rating.systems,
        )
        for item, rating in rated
    )
    return [(row, rating.output) for row, (_, rating) in zip(created, rated, strict=True)]


def _store_answers(
    judgments: Sequence[ResolvedJudgment], annotators: Mapping[str, Annotator], items: ItemOutputs
) -> None:
    rows = Judgment.objects.bulk_create(
        Judgment(
            item=items[judgment.item][0],
            annotator=annotators[judgment.annotator],
            repetition=judgment.repetition,
            state=judgment.state,
        )
        for judgment in judgments
    )
    revisions = Revision.objects.bulk_create(
        Revision(judgment=row, active_ms=judgment.active_ms)
        for row, judgment in zip(rows, judgments, strict=True)
    )
    Rating.objects.bulk_create(
        Rating(
            revision=revision,
            item_output=items[judgment.item][1][rating.output],
            position=position,
            rank=rating.rank,
        )
        for revision, judgment in zip(revisions, judgments, strict=True)
        for position, rating in enumerate(judgment.ratings)
    )
