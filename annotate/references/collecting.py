"""Makes references, or a system, of a campaign's corrections; makes references of outputs judged valid."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import astuple

from django.db import transaction

from annotate.corpora.removal import remove_system
from annotate.corpora.staged_systems import produce
from annotate.database.audit_log import record
from annotate.database.corpus_counts import COUNTED_FIELDS, count_corpus
from annotate.database.staging import delete_in_pieces, pieces, short_transaction, stays
from annotate.models import (
    AuditAction,
    Campaign,
    CollectedReference,
    Corpus,
    Origin,
    Reference,
    ReferenceSet,
    ScoreSet,
    ScoreSetState,
    System,
    SystemRole,
    User,
)
from annotate.references.answers import Corrections, accepted_in, corrections_of, judged_in
from annotate.scores.deletion import delete_scores
from annotate.scores.metric_setup import english_pipeline
from annotate.scores.queries import current_sets
from core.progress import Advance
from formats import Edit
from formats.m2_writing import NO_COMMENT, REQUIRED
from formats.naming import fault_of_identifier, is_identifier
from jobs.refusals import RefusedError
from metrics.references import covered_by, distinct_corrections, edits_between, in_words
from metrics.references.edits import Edits

ROWS_PER_PIECE = 200
JUDGED_NAME = "valid-{}"


class ReferencesRefusedError(RefusedError):
    """References or a system cannot be made or removed; the message says why, and what to do."""


def make_references(campaign: Campaign, *, by: User | None, progress: Advance) -> ReferenceSet:
    """Make every correction of a campaign a reference of its corpus, under the pseudonym of its annotator.

    Joined sentences are left out, because the corpus has them apart. A person's further versions are
    references of their own. References have edits if those of the corpus do, or if it has none.

    Args:
        campaign: one in which corrections were written.
        by: the admin; None for a command.
        progress: gets the number of references whose edits were found.

    Raises:
        ReferencesRefusedError: there are none, they are references already, or the corpus is being deleted.
    """
    if campaign.reference_sets.filter(origin=Origin.WRITTEN, system=None).exists():
        raise ReferencesRefusedError(
            f"The corrections of {campaign.name!r} are references already. Remove these to make them anew."
        )
    corrections = _some(campaign, corrections_of(campaign))
    rows: list[tuple[int, str, str, tuple[str, ...]]] = []
    for sentence in corrections.sentences:
        versions: dict[str, int] = defaultdict(int)
        for annotator, text in sentence.corrections:
            versions[annotator] += 1
            name = annotator if versions[annotator] == 1 else f"{annotator}-{versions[annotator]}"
            if not sentence.is_joined:
                rows.append((sentence.places[0], name, text, ()))
    return _store_references(campaign, Origin.WRITTEN, rows, by=by, progress=progress)


def make_valid_references(campaign: Campaign, *, by: User | None, progress: Advance) -> ReferenceSet:
    """Make the outputs that more people judged valid than not references of the corpus.

    Outputs that a reference already contains are left out. Each reference keeps the systems that produced it.

    Raises:
        ReferencesRefusedError: there are none, or the corpus is being deleted.
    """
    valid = [
        (judged.sentence, text, judged.systems) for judged, text in judged_in(campaign) if judged.is_valid
    ]
    return _store_new(campaign, valid, "output was judged valid", by=by, progress=progress)


def make_accepted_references(campaign: Campaign, *, by: User | None, progress: Advance) -> ReferenceSet:
    """Make the sentences with the edits that more people accepted than rejected references of the corpus.

    Each is the sentence with these edits of one output; others of the output are left out, so it may still
    have errors that nobody corrected. Those that a reference already contains are left out. Each reference
    keeps the systems that produced the output.

    Raises:
        ReferencesRefusedError: there are none, or the corpus is being deleted.
    """
    accepted = [(each.sentence, text, each.systems) for each, text in accepted_in(campaign)]
    return _store_new(campaign, accepted, "correction was accepted", by=by, progress=progress)


def _store_new(
    campaign: Campaign,
    found: Iterable[tuple[int, str, tuple[str, ...]]],
    what: str,
    *,
    by: User | None,
    progress: Advance,
) -> ReferenceSet:
    """Store the texts, with position and systems, that no reference contains, each under its own name."""
    names, texts = _references_of(campaign.corpus)
    covered = covered_by(texts)
    new: dict[tuple[int, tuple[str, ...]], tuple[str, set[str]]] = {}
    for position, text, systems in found:
        if (words := in_words(text)) not in covered[position]:
            new.setdefault((position, words), (text, set()))[1].update(systems)
    rows = []
    for (position, _), (text, producers) in new.items():
        number = 1
        while JUDGED_NAME.format(number) in names[position]:
            number += 1
        name = JUDGED_NAME.format(number)
        names[position].add(name)
        rows.append((position, name, text, tuple(sorted(producers))))
    if not rows:
        raise ReferencesRefusedError(
            f"No {what} in {campaign.name!r} that is not a reference of the corpus already."
        )
    return _store_references(campaign, Origin.JUDGED, rows, by=by, progress=progress)


def make_system(
    campaign: Campaign, *, name: str, by: User | None, progress: Advance = lambda outputs: None
) -> ReferenceSet:
    """Make the most frequent correction of each sentence the outputs of a system with the role *reference*.

    Raises:
        ReferencesRefusedError: there are no corrections, or the name is taken or no identifier.
    """
    corpus = campaign.corpus
    if not is_identifier(name):
        raise ReferencesRefusedError(
            f"{name!r} cannot be the name of a system. Use letters, digits, dots, hyphens and underscores."
        )
    if fault := fault_of_identifier(name):
        raise ReferencesRefusedError(fault)
    if System.every.filter(corpus=corpus, name__iexact=name).exists():
        raise ReferencesRefusedError(
            f"Corpus {corpus.name!r} already has a system {name}. Choose another name."
        )
    corrections = _some(campaign, corrections_of(campaign))
    texts = {
        sentence.places[0]: distinct_corrections(sentence)[0].text
        for sentence in corrections.sentences
        if not sentence.is_joined
    }
    keys = dict(corpus.sentences.filter(position__in=texts).values_list("position", "pk"))
    with short_transaction():
        _refuse_unless_it_stays(corpus)
        system = System.objects.create(corpus=corpus, name=name, role=SystemRole.REFERENCE)
        for positions in pieces(sorted(texts), ROWS_PER_PIECE):
            produce([(system, keys[position], texts[position]) for position in positions])
            progress(len(positions))
        made = _recorded(campaign, Origin.WRITTEN, len(texts), by=by, system=system)
        count_corpus(corpus)
        corpus.save(update_fields=COUNTED_FIELDS)
    return made


def remove_references(made: ReferenceSet, *, by: User | None, progress: Advance) -> list[str]:
    """Undo: remove the references or the system, and the scores that were computed with these references.

    Earlier scores, against the references without these, are shown again.

    Returns:
        The metrics whose scores were deleted, in command-line form.

    Raises:
        ReferencesRefusedError: a campaign shows outputs of the system.
    """
    corpus = made.corpus
    details = {"campaign": made.campaign_name, "size": made.size, "system": made.system and made.system.name}
    if made.system is not None:
        _remove_system(made.system, by=by, details=details)
        return []
    with transaction.atomic():
        record(user=by, action=AuditAction.REMOVE_REFERENCES, subject=corpus, details=details)
        references = list(made.collected.values_list("pk", flat=True))
        made.delete()
    delete_in_pieces(Reference.objects.filter(pk__in=references), progress=progress)
    outdated = list(
        ScoreSet.objects.filter(
            corpus=corpus, is_uploaded=False, state=ScoreSetState.READY, created_at__gte=made.created_at
        ).exclude(references_digest="")
    )
    for score_set in outdated:
        delete_scores(score_set, by=by, progress=lambda rows: None)
    return sorted({score_set.name for score_set in outdated})


def metrics_to_update(corpus: Corpus) -> list[str]:
    """The metrics in command-line form whose scores depend on references."""
    return sorted(
        {each.name for each in current_sets(corpus) if each.references_digest and not each.is_uploaded}
    )


def _some(campaign: Campaign, corrections: Corrections) -> Corrections:
    if not any(not sentence.is_joined for sentence in corrections.sentences):
        raise ReferencesRefusedError(f"Nobody has corrected a sentence in {campaign.name!r} yet.")
    return corrections


def _references_of(corpus: Corpus) -> tuple[list[set[str]], list[list[str]]]:
    """The names and the texts of the references of each sentence."""
    positions = list(corpus.sentences.order_by("position").values_list("position", flat=True))
    names: list[set[str]] = [set() for _ in positions]
    texts: list[list[str]] = [[] for _ in positions]
    rows = Reference.objects.filter(sentence__corpus=corpus)
    for position, name, text in rows.values_list("sentence__position", "annotator", "text"):
        names[position].add(name)
        texts[position].append(text)
    return names, texts


def _store_references(
    campaign: Campaign,
    origin: Origin,
    rows: Sequence[tuple[int, str, str, tuple[str, ...]]],
    *,
    by: User | None,
    progress: Advance,
) -> ReferenceSet:
    """Store references given by position, name, text and systems."""
    corpus = campaign.corpus
    stored = Reference.objects.filter(sentence__corpus=corpus)
    has_edits = stored.filter(edits__isnull=False).exists() or not stored.exists()
    edits = edits_between(english_pipeline() if corpus.may_be_english else None)
    sentences = {position: (key, text) for position, key, text in _sentences(corpus, rows)}
    made = []
    for position, name, text, systems in rows:
        key, source = sentences[position]
        text_edits = _stored_edits(edits, source, text) if has_edits else None
        made.append((Reference(sentence_id=key, annotator=name, text=text, edits=text_edits), systems))
        progress(1)
    with short_transaction():
        _refuse_unless_it_stays(corpus)
        reference_set = _recorded(campaign, origin, len(made), by=by)
        for piece in pieces(made, ROWS_PER_PIECE):
            references = Reference.objects.bulk_create(reference for reference, _ in piece)
            CollectedReference.objects.bulk_create(
                CollectedReference(reference=reference, reference_set=reference_set, systems=list(systems))
                for reference, (_, systems) in zip(references, piece, strict=True)
            )
    return reference_set


def _sentences(
    corpus: Corpus, rows: Iterable[tuple[int, str, str, tuple[str, ...]]]
) -> list[tuple[int, int, str]]:
    wanted = {position for position, *_ in rows}
    sentences = corpus.sentences.values_list("position", "pk", "text")
    return [(position, key, text or "") for position, key, text in sentences if position in wanted]


def _stored_edits(edits: Edits, source: str, text: str) -> list[tuple[object, ...]]:
    return [
        astuple(Edit(edit.start, edit.end, edit.kind, edit.corrections, REQUIRED, NO_COMMENT))
        for edit in edits(source, text)
    ]


def _recorded(
    campaign: Campaign, origin: Origin, size: int, *, by: User | None, system: System | None = None
) -> ReferenceSet:
    record(
        user=by,
        action=AuditAction.MAKE_REFERENCES,
        subject=campaign.corpus,
        details={"campaign": campaign.name, "size": size, "system": system and system.name},
    )
    return ReferenceSet.objects.create(
        corpus=campaign.corpus,
        campaign=campaign,
        campaign_name=campaign.name,
        origin=origin,
        system=system,
        size=size,
        owner=by,
    )


def _remove_system(system: System, *, by: User | None, details: dict[str, object]) -> None:
    corpus = system.corpus
    if users := list(system.campaigns.values_list("name", flat=True)):
        names = ", ".join(map(repr, users))
        raise ReferencesRefusedError(
            f"System {system.name} is in use by {names}. Delete these campaigns first."
        )
    with short_transaction():
        record(user=by, action=AuditAction.REMOVE_REFERENCES, subject=corpus, details=details)
        remove_system(system)


def _refuse_unless_it_stays(corpus: Corpus) -> None:
    if not stays(corpus):
        raise ReferencesRefusedError(f"The corpus {corpus.name!r} has just been deleted.")
