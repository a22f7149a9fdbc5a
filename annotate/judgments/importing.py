"""Import of judgments that were collected elsewhere, as a new campaign."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain, count
from uuid import UUID, uuid4

from annotate.database.annotator_counts import counted_annotator
from annotate.database.corpus_counts import COUNTED_FIELDS, count_corpus
from annotate.database.staging import ImportRefusedError, not_whole, piece, pieces, stage, stored_before
from annotate.models import (
    Annotator,
    Campaign,
    CampaignState,
    Corpus,
    CorpusState,
    Item,
    ItemOutput,
    Judgment,
    JudgmentState,
    Machine,
    Output,
    Rating,
    Revision,
    Sentence,
    System,
    User,
)
from core.progress import Advance, NoProgress, Progress, over_many
from core.wording import counted
from formats import AnswerRecord, JudgmentRecord, RatingRecord
from formats.digests import content_digest
from formats.machines import AnnotatorKind, description_text
from formats.snapshot.answer_details import json_text
from formats.snapshot.judgment_columns import RATED, Part, columns_of
from formats.snapshot.propensities_json import propensities_text
from formats.snapshot.vocabulary import ProtocolName

JUDGMENTS_PER_PIECE = 200
_OF_REVISIONS = [column.field for column in columns_of(Part.ANSWER).values()]


@dataclass(frozen=True, slots=True)
class JudgmentsPlan:
    """Plan of an import.

    Attributes:
        campaign: as it would be stored.
        stored: the stored campaign, if it has the same judgments and name.
        corpus: the judged corpus; None creates a corpus without texts under the campaign's name.
        judgments: judgments to be stored.
    """

    campaign: Campaign
    stored: Campaign | None
    corpus: Corpus | None
    judgments: tuple[JudgmentRecord, ...]

    @property
    def annotators(self) -> list[str]:
        """Names of the people who judged, sorted."""
        return sorted({each.annotator for each in self.judgments if each.annotator_kind is None})

    @property
    def machines(self) -> list[str]:
        """Names of the machines that judged, sorted."""
        return sorted({each.annotator for each in self.judgments if each.annotator_kind is not None})

    @property
    def systems(self) -> list[str]:
        """Names of the judged systems, sorted."""
        lists = {rating.systems for judgment in self.judgments for rating in _ratings(judgment)}
        return sorted(set(chain.from_iterable(lists)))

    @property
    def description(self) -> str:
        """The plan in two sentences."""
        states = Counter(judgment.state for judgment in self.judgments)
        parts = ", ".join(f"{number:,} {state}" for state, number in sorted(states.items()))
        noun = "ranking" if self.campaign.protocol == ProtocolName.RELATIVE_RANKING else "answer"
        ranked = counted(len(self.judgments) - states[JudgmentState.SKIPPED], noun)
        checked = (
            f"{ranked} checked: all agree with the texts of corpus {self.corpus.name!r}."
            if self.corpus
            else "No corpus was given, so outputs are identified by their systems only."
        )
        machines = f" and {counted(len(self.machines), 'machine')}" if self.machines else ""
        return (
            f"Campaign {self.campaign.name!r}: {counted(len(self.judgments), 'judgment')} ({parts}) by "
            f"{counted(len(self.annotators), 'judge')}{machines} of "
            f"{counted(len(self.systems), 'system')}. {checked}"
        )


def plan_judgments(
    *,
    name: str,
    corpus: Corpus | None,
    judgments: tuple[JudgmentRecord, ...],
    synthetic: bool,
    uuid: UUID | None = None,
    owner: User | None = None,
    progress: Progress | None = None,
) -> JudgmentsPlan:
    """Compare the records with stored campaigns.

    An import that may be killed and restarted passes its own `uuid`, to recognise its leftovers. The `owner`
    may delete the judgments, as admins may. `progress` is told how far the comparison is.

    Raises:
        ImportRefusedError: the name is taken by other content.
        ValidationError: the name is malformed.
    """
    step = "Comparing the judgments with what is stored"
    compared = over_many(judgments, step, progress or NoProgress(), total=len(judgments))
    header = (corpus and (corpus.name, corpus.digest), synthetic)
    campaign = Campaign(
        uuid=uuid or uuid4(),
        name=name,
        corpus=corpus,
        protocol=judgments[0].protocol,
        state=CampaignState.IMPORTING,
        synthetic=synthetic,
        imported_by=owner,
        digest=content_digest(chain([header], map(_content, compared))),
    )
    stored = stored_before(campaign)
    if corpus is None and stored is None:
        _refuse_name_of_a_corpus(name)
    return JudgmentsPlan(campaign, stored, corpus, judgments)


def _content(judgment: JudgmentRecord) -> tuple[object, ...]:
    """Content of a judgment for the digest of an import.

    A plain ranking gives the same content as in releases that had only rankings, so that older imports are
    recognised.
    """
    answer = judgment.current
    machine = [description_text(judgment.machine)] if judgment.machine is not None else []
    annotator = "\t".join([judgment.annotator, *machine])
    item = (annotator, judgment.sentence, judgment.item, judgment.repetition, judgment.state)
    ratings = tuple((rating.output, rating.systems, rating.rank) for rating in answer.ratings)
    plain = AnswerRecord(tuple(RatingRecord(*rating) for rating in ratings), active_ms=answer.active_ms)
    is_plain = judgment.answers == (plain,) and not judgment.propensities
    if judgment.protocol == ProtocolName.RELATIVE_RANKING and is_plain:
        return (*item, ratings, answer.active_ms)
    answers = [
        (
            *(answer.number, answer.text, str(answer.started_at), str(answer.submitted_at), answer.active_ms),
            *map(_rating, answer.ratings),
            *([answer.note] if answer.note else []),
            *_beyond_ratings(answer),
        )
        for answer in judgment.answers
    ]
    propensities = [propensities_text(judgment.propensities)] if judgment.propensities else []
    return (*item, judgment.protocol, answers, *propensities)


def _rating(rating: RatingRecord) -> tuple[object, ...]:
    """The values of a rating; details, which older releases do not have, only if there are any."""
    *values, details = (getattr(rating, field.name) for field in fields(rating))
    return (*values, *([json_text(details)] if details else []))


def _beyond_ratings(answer: AnswerRecord) -> list[tuple[object, ...]]:
    """Values that older releases do not have; empty if a judgment has none of them."""
    details = json_text(answer.details) if answer.details else None
    later = (answer.further_texts, answer.verdict, details)
    return [*([later] if any(later) else []), *([(answer.opinion,)] if answer.opinion else [])]


def _ratings(judgment: JudgmentRecord) -> Iterator[RatingRecord]:
    """The ratings of all answers."""
    return chain.from_iterable(answer.ratings for answer in judgment.answers)


def _refuse_name_of_a_corpus(name: str) -> None:
    """Judgments without a corpus create one under their name, which must not be taken."""
    taken = Corpus.objects.filter(name=name).first()
    if taken is None:
        return
    if reason := not_whole(taken):
        raise ImportRefusedError(reason)
    raise ImportRefusedError(
        f"A corpus named {name!r} exists. If these are judgments of it, choose it as the corpus; "
        "otherwise choose another name for the judgments."
    )


def store_judgments(plan: JudgmentsPlan, *, progress: Advance) -> Campaign:
    """Carry out the plan; `progress` gets the number of judgments stored by each piece.

    Raises:
        ImportRefusedError: the name has been taken since the plan was made.
    """
    if plan.stored:
        return plan.stored
    if plan.corpus is not None:
        return _store_campaign(plan, plan.corpus, progress)
    without_texts = Corpus(
        uuid=plan.campaign.uuid,
        name=plan.campaign.name,
        language="und",
        has_texts=False,
        digest=plan.campaign.digest,
    )
    with stage(without_texts) as corpus:
        _fill_corpus_without_texts(corpus, plan)
        return _store_campaign(plan, corpus, progress)


def _store_campaign(plan: JudgmentsPlan, corpus: Corpus, progress: Advance) -> Campaign:
    plan.campaign.corpus = corpus
    with stage(plan.campaign) as campaign:
        campaign.systems.set(System.every.filter(corpus=corpus, name__in=plan.systems))
        annotators = _store_annotators(campaign, plan.judgments, progress)
        item_outputs = _store_items(campaign, plan.judgments, progress)
        for answers in pieces(plan.judgments, JUDGMENTS_PER_PIECE):
            with piece(campaign):
                _store_answers(campaign, answers, annotators, item_outputs)
            progress(len(answers))
        if not corpus.sentence_count:
            count_corpus(corpus)
        with piece(campaign):
            corpus.state = CorpusState.READY
            corpus.save(update_fields=["state", *COUNTED_FIELDS])
            campaign.state = CampaignState.IMPORTED
            campaign.save(update_fields=["state", "last_annotator_number", "last_machine_number"])
    return campaign


def _store_annotators(
    campaign: Campaign, judgments: Sequence[JudgmentRecord], progress: Advance
) -> dict[str, Annotator]:
    """The annotators by name, with the numbers of the stored campaign."""
    progress(0)  # Lets the job be cancelled.
    by_name: dict[str, list[JudgmentRecord]] = {}
    for judgment in judgments:
        by_name.setdefault(judgment.annotator, []).append(judgment)
    machines = {name: of_one[0].machine for name, of_one in by_name.items() if of_one[0].machine is not None}
    people = {name: of_one for name, of_one in by_name.items() if name not in machines}
    numbers = _numbers_of_annotators(people)
    numbers_of_machines = _numbers_of_annotators({name: by_name[name] for name in machines})
    counts = {}
    for name, of_one in by_name.items():
        counts[name] = counted_annotator(of_one)
        progress(0)
    stored = Annotator.objects.bulk_create(
        Annotator(
            campaign=campaign,
            name=name,
            kind=(AnnotatorKind.MACHINE if name in machines else AnnotatorKind.PERSON).value,
            number=numbers[name] if name in numbers else numbers_of_machines[name],
            **counts[name],
        )
        for name in sorted(by_name)
    )
    Machine.objects.bulk_create(
        Machine(annotator=annotator, **machines[annotator.name])
        for annotator in stored
        if annotator.name in machines
    )
    campaign.last_annotator_number = max(numbers.values(), default=0)
    campaign.last_machine_number = max(numbers_of_machines.values(), default=0)
    return {annotator.name: annotator for annotator in stored}


def _numbers_of_annotators(by_name: Mapping[str, Sequence[JudgmentRecord]]) -> dict[str, int]:
    """Numbers from the file; annotators without one follow, in the order of their first judgments."""
    numbers = {name: judgments[0].annotator_number for name, judgments in by_name.items()}
    following = count(max(filter(None, numbers.values()), default=0) + 1)
    return {name: number or next(following) for name, number in numbers.items()}


def _fill_corpus_without_texts(corpus: Corpus, plan: JudgmentsPlan) -> None:
    System.objects.bulk_create(System(corpus=corpus, name=name) for name in plan.systems)
    outputs: dict[int, dict[str, tuple[str, ...]]] = {judgment.sentence: {} for judgment in plan.judgments}
    for judgment in plan.judgments:
        outputs[judgment.sentence].update((rating.output, rating.systems) for rating in _ratings(judgment))
    for positions in pieces(sorted(outputs), JUDGMENTS_PER_PIECE):
        with piece(corpus):
            sentences = Sentence.objects.bulk_create(
                Sentence(corpus=corpus, position=position) for position in positions
            )
            Output.objects.bulk_create(
                Output(sentence=sentence, digest=digest)
                for sentence in sentences
                for digest in _by_systems(outputs[sentence.position])
            )


def _by_systems(outputs: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Digests of outputs, ordered by system so that the order does not reveal what was shown first."""
    return sorted(outputs, key=lambda digest: (outputs[digest], digest))


ItemOutputs = Mapping[int, tuple[Item, Mapping[str, ItemOutput]]]
"""The stored items by number, with their outputs by digest."""


def _store_items(campaign: Campaign, judgments: Sequence[JudgmentRecord], progress: Advance) -> ItemOutputs:
    positions = {judgment.item: judgment.sentence for judgment in judgments}
    propensities = {judgment.item: judgment.propensities for judgment in judgments}
    shown: dict[int, dict[str, tuple[str, ...]]] = {number: {} for number in positions}
    for judgment in judgments:
        shown[judgment.item].update((rating.output, rating.systems) for rating in _ratings(judgment))
        progress(0)
    sentences = dict(Sentence.objects.filter(corpus=campaign.corpus).values_list("position", "pk"))
    outputs = {
        (position, digest): pk
        for position, digest, pk in Output.objects.filter(sentence__corpus=campaign.corpus).values_list(
            "sentence__position", "digest", "pk"
        )
    }
    progress(0)
    stored: dict[int, tuple[Item, Mapping[str, ItemOutput]]] = {}
    for numbers in pieces(sorted(positions), JUDGMENTS_PER_PIECE):
        with piece(campaign):
            items = Item.objects.bulk_create(
                Item(
                    campaign=campaign,
                    number=number,
                    sentence_id=sentences[positions[number]],
                    propensities=propensities[number],
                )
                for number in numbers
            )
            rows = {
                item.number: {
                    digest: ItemOutput(
                        item=item,
                        output_id=outputs[positions[item.number], digest],
                        systems=shown[item.number][digest],
                    )
                    for digest in _by_systems(shown[item.number])
                }
                for item in items
            }
            ItemOutput.objects.bulk_create(chain.from_iterable(row.values() for row in rows.values()))
        stored.update({item.number: (item, rows[item.number]) for item in items})
        progress(0)
    return stored


def _store_answers(
    campaign: Campaign,
    judgments: Sequence[JudgmentRecord],
    annotators: Mapping[str, Annotator],
    items: ItemOutputs,
) -> None:
    rows = Judgment.objects.bulk_create(
        Judgment(
            campaign=campaign,
            item=items[judgment.item][0],
            annotator=annotators[judgment.annotator],
            repetition=judgment.repetition,
            state=judgment.state,
            by_machine=int(judgment.annotator_kind is not None),
            is_reported=judgment.state != JudgmentState.SKIPPED and bool(judgment.current.note),
        )
        for judgment in judgments
    )
    answers = [
        (row, judgment, answer)
        for row, judgment in zip(rows, judgments, strict=True)
        for answer in judgment.answers
    ]
    revisions = Revision.objects.bulk_create(
        Revision(
            judgment=row,
            is_current=answer is judgment.current,
            **{field: _or_null(getattr(answer, field)) for field in _OF_REVISIONS},
        )
        for row, judgment, answer in answers
    )
    Rating.objects.bulk_create(
        Rating(
            revision=revision,
            item_output=items[judgment.item][1][rating.output],
            position=position,
            **{name: getattr(rating, name) for name in RATED},
        )
        for revision, (_, judgment, answer) in zip(revisions, answers, strict=True)
        for position, rating in enumerate(answer.ratings)
    )


def _or_null(value: object) -> object:
    """The value as it is stored: a revision without further texts has none, not an empty list."""
    return None if value == () else value
