"""Import of a corpus: the plan says what would happen, storing it makes it so."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from django.db import transaction

from annotate.digests import text_digest
from annotate.formats import CorpusRecord, SentenceRecord
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
from annotate.services.staging import (
    ImportRefusedError,
    Progress,
    create_staged,
    discarded_on_failure,
    pieces,
    sweep_abandoned_imports,
    touch,
)

SENTENCES_PER_PIECE = 100


@dataclass(frozen=True, slots=True)
class CorpusPlan:
    """What an import would do.

    Attributes:
        name: of the corpus.
        language: BCP 47 tag of its texts.
        record: what the files hold.
        roles: role of each system by its name.
        digest: SHA-256 of all of that.
        unchanged: the same content is stored under this name already.
        outputs: number of distinct outputs, over all sentences.
        references: number of references, over all sentences.
        documents: number of documents.
    """

    name: str
    language: str
    record: CorpusRecord
    roles: Mapping[str, SystemRole]
    digest: str
    unchanged: bool
    outputs: int
    references: int
    documents: int


def plan_corpus(*, name: str, language: str, record: CorpusRecord, roles: Mapping[str, str]) -> CorpusPlan:
    """Check the content against itself and against what is stored. Systems without a role are *system*.

    Raises:
        ImportRefusedError: the name is taken by other content, or a role does not fit.
        ValidationError: the name or the language tag is malformed.
    """
    sweep_abandoned_imports()
    all_roles = _checked_roles(record, roles)
    digest = _content_digest(language, record, all_roles)
    Corpus(name=name, language=language, digest=digest).clean_fields()
    stored = Corpus.objects.filter(name=name, state=CorpusState.READY).first()
    if stored and stored.digest != digest:
        raise ImportRefusedError(
            f"A corpus named {name!r} exists and holds other content. Choose another name."
        )
    return CorpusPlan(
        name=name,
        language=language,
        record=record,
        roles=all_roles,
        digest=digest,
        unchanged=stored is not None,
        outputs=sum(len(set(sentence.outputs.values())) for sentence in record.sentences),
        references=sum(len(sentence.references) for sentence in record.sentences),
        documents=len({sentence.document for sentence in record.sentences if sentence.document}),
    )


def store_corpus(plan: CorpusPlan, *, progress: Progress) -> Corpus:
    """Do what the plan says; `progress` is told the number of sentences stored by each piece.

    Raises:
        ImportRefusedError: somebody took the name since the plan was made.
    """
    if plan.unchanged:
        progress(len(plan.record.sentences))
        return Corpus.objects.get(name=plan.name)
    corpus = create_staged(Corpus(name=plan.name, language=plan.language, digest=plan.digest))
    with discarded_on_failure(corpus):
        systems = {
            system.name: system
            for system in System.objects.bulk_create(
                System(corpus=corpus, name=name, role=role) for name, role in plan.roles.items()
            )
        }
        for piece in pieces(list(enumerate(plan.record.sentences)), SENTENCES_PER_PIECE):
            with transaction.atomic():
                _store_sentences(corpus, systems, dict(piece))
                touch(corpus)
            progress(len(piece))
        corpus.state = CorpusState.READY
        corpus.save(update_fields=["state"])
    return corpus


def _checked_roles(record: CorpusRecord, roles: Mapping[str, str]) -> dict[str, SystemRole]:
    for name, role in roles.items():
        if name not in record.systems:
            raise ImportRefusedError(
                f"There is no system {name!r} to be the {role}; the systems are {', '.join(record.systems)}."
            )
        if role not in SystemRole.values:
            raise ImportRefusedError(f"{role!r} is no role; the roles are {', '.join(SystemRole.values)}.")
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


def _content_digest(language: str, record: CorpusRecord, roles: Mapping[str, SystemRole]) -> str:
    digest = hashlib.sha256(json.dumps([language, sorted(roles.items())]).encode())
    for sentence in record.sentences:
        digest.update(json.dumps(asdict(sentence), sort_keys=True).encode())
    return digest.hexdigest()


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
            edits=reference.edits and [list(asdict(edit).values()) for edit in reference.edits],
        )
        for sentence, record in zip(sentences, records.values(), strict=True)
        for reference in record.references
    )
