"""Import of a corpus: a plan describes what would be stored, then it is stored."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import astuple, dataclass
from itertools import chain
from uuid import UUID, uuid4

from annotate.corpora.tokenisation import detected_tokenisation
from annotate.database.corpus_counts import COUNTED_FIELDS, count_corpus
from annotate.database.staging import ImportRefusedError, piece, pieces, stage, stored_before
from annotate.models import (
    Corpus,
    CorpusState,
    Output,
    Production,
    Reference,
    Sentence,
    System,
    SystemRole,
)
from core.languages import tag_of
from core.progress import Advance
from core.wording import counted
from formats import CorpusRecord, SentenceRecord
from formats.digests import content_digest, text_digest
from formats.naming import SystemNames, clashes, fault_of_family, fault_of_identifier, fault_of_label
from formats.text.line_ends import PILCROW

SENTENCES_PER_PIECE = 50


@dataclass(frozen=True, slots=True)
class CorpusPlan:
    """Plan of an import.

    Attributes:
        corpus: as it would be stored.
        stored: the stored corpus, if it has the same content and name.
        record: content of the files.
        roles: role of each system by name.
        labels: labels of systems by name.
        families: families of systems by name, of those that state one.
        outputs: number of distinct outputs, over all sentences.
        references: number of references, over all sentences.
        documents: number of documents.
        warnings: what a lenient reading has repaired, and what is probably a mistake.
    """

    corpus: Corpus
    stored: Corpus | None
    record: CorpusRecord
    roles: Mapping[str, SystemRole]
    labels: Mapping[str, str]
    families: Mapping[str, str]
    outputs: int
    references: int
    documents: int
    warnings: tuple[str, ...]

    @property
    def description(self) -> str:
        """The plan in one sentence."""
        parts = [
            counted(len(self.record.sentences), self.corpus.unit),
            counted(len(self.record.systems), "system"),
            counted(self.outputs, "distinct output"),
            counted(self.references, "reference"),
            counted(self.documents, "document"),
        ]
        written = f" {self.corpus.get_tokenisation_display()}." if self.corpus.tokenisation else ""
        return f"Corpus {self.corpus.name!r} ({self.corpus.language}): {', '.join(parts)}.{written}"


def plan_corpus(
    *,
    name: str,
    language: str,
    record: CorpusRecord,
    roles: Mapping[str, str],
    labels: Mapping[str, str] | None = None,
    families: Mapping[str, str] | None = None,
    tokenisation: str | None = None,
    uuid: UUID | None = None,
    step: Callable[[], None] = lambda: None,
) -> CorpusPlan:
    """Check the content for consistency and against stored corpora. Systems without a role are *system*.

    Systems without a label are shown by their names. The tokenisation, a value of `Tokenisation`, is detected
    in the sentences unless it is given.

    An import that may be killed and restarted passes its own `uuid`, to recognise its leftovers. `step` is
    called after each sentence; it may stop the work by raising an error.

    Raises:
        ImportRefusedError: the name is taken by other content, or a role, label or family does not fit.
        ValidationError: the name or the language tag is malformed.
    """
    all_roles = _checked_roles(record, roles)
    own_labels = _checked_labels(all_roles, labels or {})
    own_families = _checked_families(record, families or {})
    language = tag_of(language) or language
    # A corpus without labels, styles or families keeps the digest from before these existed.
    later: list[object] = [sorted(each.items()) for each in (own_labels, record.styles) if each]
    if own_families:
        later.append({"families": own_families})
    holds_essays = record.holds_essays or any(PILCROW in each.source.split() for each in record.sentences)
    if holds_essays:
        later.append({"essays": True})
    header = (language, sorted(all_roles.items()), *later)
    corpus = Corpus(
        uuid=uuid or uuid4(),
        name=name,
        language=language,
        tokenisation=detected_tokenisation(each.source for each in record.sentences)
        if tokenisation is None
        else tokenisation,
        reference_styles=dict(record.styles),
        holds_essays=holds_essays,
        digest=content_digest(chain([header], _contents(record, step))),
    )
    return CorpusPlan(
        corpus=corpus,
        stored=stored_before(corpus),
        record=record,
        roles=all_roles,
        labels=own_labels,
        families=own_families,
        outputs=sum(len(set(sentence.outputs.values())) for sentence in record.sentences),
        references=sum(len(sentence.references) for sentence in record.sentences),
        documents=len({sentence.document for sentence in record.sentences if sentence.document}),
        warnings=(*record.warnings, *_all_empty(record)),
    )


def store_corpus(plan: CorpusPlan, *, progress: Advance) -> Corpus:
    """Carry out the plan; `progress` gets the number of sentences stored by each piece.

    Raises:
        ImportRefusedError: the name has been taken since the plan was made.
    """
    if plan.stored:
        return plan.stored
    with stage(plan.corpus) as corpus:
        systems = {
            system.name: system
            for system in System.objects.bulk_create(
                System(
                    corpus=corpus,
                    name=name,
                    role=role,
                    label=plan.labels.get(name, ""),
                    family=plan.families.get(name, ""),
                )
                for name, role in plan.roles.items()
            )
        }
        for numbered in pieces(list(enumerate(plan.record.sentences)), SENTENCES_PER_PIECE):
            with piece(corpus):
                _store_sentences(corpus, systems, dict(numbered))
            progress(len(numbered))
        count_corpus(corpus)
        with piece(corpus):
            corpus.state = CorpusState.READY
            corpus.save(update_fields=["state", *COUNTED_FIELDS])
    return corpus


def _contents(record: CorpusRecord, step: Callable[[], None]) -> Iterator[tuple[object, ...]]:
    for sentence in record.sentences:
        yield astuple(sentence)
        step()


def _all_empty(record: CorpusRecord) -> Iterator[str]:
    """A warning for each system and annotator whose texts are all empty: probably the wrong file."""
    outputs = {name: Counter[bool]() for name in record.systems}
    references: dict[str, Counter[bool]] = {}
    for sentence in record.sentences:
        for name, text in sentence.outputs.items():
            outputs[name][bool(text)] += 1
        for reference in sentence.references:
            references.setdefault(reference.annotator, Counter())[bool(reference.text)] += 1
    for name, filled in outputs.items():
        if not filled[True]:
            yield f"System {name}: all outputs are empty ({counted(filled[False], 'sentence')})."
    for name, filled in references.items():
        if not filled[True]:
            yield f"Annotator {name}: all references are empty ({counted(filled[False], 'sentence')})."


def _checked_roles(record: CorpusRecord, roles: Mapping[str, str]) -> dict[str, SystemRole]:
    for name, role in roles.items():
        if name not in record.systems:
            names = ", ".join(record.systems) or "none"
            raise ImportRefusedError(
                f"There is no system {name!r} for the role {role}. Systems are: {names}."
            )
        if role not in SystemRole.values:
            raise ImportRefusedError(f"{role!r} is not a role; the roles are {', '.join(SystemRole.values)}.")
    sources = [name for name, role in roles.items() if role == SystemRole.SOURCE]
    if len(sources) > 1:
        raise ImportRefusedError(f"Only one system can be the source, not {' and '.join(sources)}.")
    for name in sources:
        for number, sentence in enumerate(record.sentences, start=1):
            if sentence.outputs.get(name, sentence.source) != sentence.source:
                raise ImportRefusedError(
                    f"System {name!r} cannot be the source: it changes sentence {number}."
                )
    return {name: SystemRole(roles.get(name, SystemRole.SYSTEM)) for name in record.systems}


def _checked_labels(roles: Mapping[str, SystemRole], labels: Mapping[str, str]) -> dict[str, str]:
    """Labels that differ from the names."""
    systems = {name: SystemNames(name, labels.get(name, ""), role) for name, role in roles.items()}
    for system in systems.values():
        if fault := fault_of_label(system.label) or fault_of_identifier(system.name):
            raise ImportRefusedError(f"System {system.name!r}: {fault}")
    if twice := clashes(systems):
        raise ImportRefusedError(twice[0][2])
    return {name: system.label for name, system in systems.items() if system.shown != name}


def _checked_families(record: CorpusRecord, families: Mapping[str, str]) -> dict[str, str]:
    """Families that are stated."""
    for name, family in families.items():
        if name not in record.systems:
            names = ", ".join(record.systems) or "none"
            raise ImportRefusedError(
                f"There is no system {name!r} for the family {family!r}. Systems are: {names}."
            )
        if fault := fault_of_family(family):
            raise ImportRefusedError(f"System {name!r}: {fault}")
    return {name: family for name, family in families.items() if family}


def _store_sentences(
    corpus: Corpus, systems: Mapping[str, System], records: Mapping[int, SentenceRecord]
) -> None:
    sentences = Sentence.objects.bulk_create(
        Sentence(
            corpus=corpus,
            position=position,
            document=record.document,
            domain=record.domain,
            text=record.source,
        )
        for position, record in records.items()
    )
    outputs = {
        (output.sentence_id, output.text): output
        for output in Output.objects.bulk_create(
            Output(sentence=sentence, text=text, digest=text_digest(text))
            for sentence, record in zip(sentences, records.values(), strict=True)
            for text in dict.fromkeys(record.outputs.values())
        )
    }
    Production.objects.bulk_create(
        Production(system=systems[name], output=outputs[sentence.pk, text], sentence=sentence)
        for sentence, record in zip(sentences, records.values(), strict=True)
        for name, text in record.outputs.items()
    )
    Reference.objects.bulk_create(
        Reference(
            sentence=sentence,
            annotator=reference.annotator,
            text=reference.text,
            edits=None if reference.edits is None else [astuple(edit) for edit in reference.edits],
        )
        for sentence, record in zip(sentences, records.values(), strict=True)
        for reference in record.references
    )
