"""Systems and references that join a stored corpus: a plan describes what would change, then it is stored."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace

import numpy as np
from django.db.models import QuerySet
from django.utils import timezone

from annotate.corpora.staged_systems import joining, produce, unfinished
from annotate.database.audit_log import record as record_action
from annotate.database.staging import ABANDONED_AFTER, ImportRefusedError, pieces
from annotate.models import AuditAction, Corpus, Output, Reference, System, SystemRole, User
from annotate.scores.corpus_outputs import NO_OUTPUT, corpus_outputs
from annotate.scores.queries import up_to_date_sets
from annotate.scores.queueing import queue_scoring
from core.arrays import IntArray
from core.progress import Advance
from core.wording import counted, listed
from formats import MAX_ANNOTATORS, MAX_SYSTEMS, CorpusRecord, SentenceRecord
from formats import Reference as ReferenceRecord
from formats.digests import text_digest
from formats.naming import SystemNames, clashes, fault_of_family, fault_of_identifier, fault_of_label

OUTPUTS_PER_PIECE = 2000
REFERENCES_PER_PIECE = 1000


@dataclass(frozen=True, slots=True)
class AdditionPlan:
    """Plan of an addition.

    Attributes:
        corpus: the corpus that grows.
        record: the sentences of the corpus, with what is new.
        systems: the new systems, in the order of the files.
        new_outputs: number of distinct outputs that no system of the corpus has produced.
        shared_outputs: number of distinct outputs that are there already, and are shared.
        annotators: names of the annotators of the new references.
        outdated: titles of the scores that depend on references and so have to be computed anew.
        warnings: what a lenient reading has repaired, what is there already, and what is probably a mistake.
    """

    corpus: Corpus
    record: CorpusRecord
    systems: tuple[SystemNames, ...]
    new_outputs: int
    shared_outputs: int
    annotators: tuple[str, ...]
    outdated: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def references(self) -> int:
        """Number of references that would be stored."""
        return sum(len(sentence.references) for sentence in self.record.sentences)

    @property
    def is_stored(self) -> bool:
        """Whether nothing is new."""
        return not self.systems and not self.annotators

    @property
    def description(self) -> str:
        """The plan in one sentence or two."""
        if self.is_stored:
            return f"Corpus {self.corpus.name!r} has all of this already."
        parts = []
        if self.systems:
            parts.append(
                f"{counted(len(self.systems), 'system')} ({counted(self.new_outputs, 'new output')}, "
                f"{self.shared_outputs:,} that other systems have produced too)"
            )
        if self.annotators:
            parts.append(
                f"{counted(self.references, 'reference')} by {counted(len(self.annotators), 'annotator')}"
            )
        outdated = (
            f" Scores by {listed(self.outdated)} will lack these references until they are computed anew on "
            "the page of scores."
            if self.outdated
            else ""
        )
        return f"Corpus {self.corpus.name!r} gets {' and '.join(parts)}.{outdated}"


def sources_of(corpus: Corpus) -> list[str]:
    """The sentences of the corpus in order."""
    return [text or "" for text in corpus.sentences.order_by("position").values_list("text", flat=True)]


def annotators_of(corpus: Corpus) -> set[str]:
    """The names of those who wrote references of the corpus."""
    return set(references_of(corpus).values_list("annotator", flat=True).distinct())


def references_of(corpus: Corpus) -> QuerySet[Reference]:
    """The references of the corpus, in no order."""
    return Reference.objects.filter(sentence__corpus=corpus).order_by()


def plan_addition(
    *, corpus: Corpus, record: CorpusRecord, names: Mapping[str, SystemNames] | None = None
) -> AdditionPlan:
    """Check what is to be added for consistency and against what the corpus has.

    Systems and references that are there already, with the same texts, are left out.

    Args:
        corpus: a corpus with texts.
        record: sentences of the corpus, with outputs and references; some may be missing.
        names: of the systems, by what they are called in the record.

    Raises:
        ImportRefusedError: a sentence is not of the corpus, a name is taken by other texts, or a role,
            label or family does not fit.
    """
    record = _aligned(corpus, record)
    given = {name: SystemNames(name, "", SystemRole.SYSTEM) for name in record.systems} | dict(names or {})
    there = _Outputs(corpus, record)
    kept = [name for name in record.systems if there.holds(given[name].name, name)]
    systems = {name: given[name] for name in record.systems if name not in kept}
    _check_systems(corpus, systems, there)
    repeated, annotators = _new_annotators(corpus, record)
    new = replace(
        record,
        systems=tuple(systems),
        sentences=tuple(
            replace(
                sentence,
                outputs={name: text for name, text in sentence.outputs.items() if name in systems},
                references=tuple(one for one in sentence.references if one.annotator in annotators),
            )
            for sentence in record.sentences
        ),
    )
    if not record.systems and not annotators and not repeated:
        raise ImportRefusedError("The files hold no outputs and no references. Give some to add.")
    new_outputs, shared = there.counts(systems)
    return AdditionPlan(
        corpus=corpus,
        record=new,
        systems=tuple(systems.values()),
        new_outputs=new_outputs,
        shared_outputs=shared,
        annotators=annotators,
        outdated=tuple(each.name for each in up_to_date_sets(corpus) if each.references_digest)
        if annotators
        else (),
        warnings=(
            *record.warnings,
            *(f"System {given[name].name} is there already, with the same outputs." for name in kept),
            *(f"The references by {name} are there already." for name in repeated),
            *there.suspicious(systems),
        ),
    )


def store_addition(
    plan: AdditionPlan, *, by: User | None, progress: Advance, takes_over: bool = False
) -> Corpus:
    """Carry out the plan, and queue the scoring of new systems by metrics whose scores are up to date.

    Args:
        plan: the plan.
        by: the admin; None for a command.
        progress: gets the number of sentences stored by each piece.
        takes_over: whether leftovers are of a killed attempt at the same addition.

    Raises:
        ImportRefusedError: something else is being added, or the corpus is being deleted.
    """
    corpus = plan.corpus
    if plan.is_stored:
        return corpus
    busy = f"Something else is being added to {corpus.name!r} right now. Try again in a few minutes."
    corpus.refresh_from_db(fields=["touched_at"])
    is_claimed = timezone.now() - corpus.touched_at < ABANDONED_AFTER and unfinished(corpus).exists()
    if is_claimed and not takes_over:
        raise ImportRefusedError(busy)
    keys = dict(corpus.sentences.values_list("position", "pk"))
    with joining(corpus, refusal=ImportRefusedError, lost=busy) as under_way:
        with under_way.piece():
            _refuse_taken(corpus, plan)
            systems = {
                called: System.objects.create(
                    corpus=corpus,
                    name=names.name,
                    label=names.label,
                    role=names.role,
                    family=names.family,
                    is_whole=False,
                )
                for called, names in zip(plan.record.systems, plan.systems, strict=True)
            }
        size = max(1, OUTPUTS_PER_PIECE // max(1, len(systems)))
        for numbered in pieces(list(enumerate(plan.record.sentences)), size):
            if systems:
                with under_way.piece():
                    produce(
                        [
                            (systems[name], keys[position], text)
                            for position, sentence in numbered
                            for name, text in sentence.outputs.items()
                        ]
                    )
            progress(len(numbered))
        under_way.at_the_end.append(lambda: _finish(plan, keys, by))
    if metrics := [each.name for each in up_to_date_sets(corpus)] if systems else []:
        queue_scoring(corpus, metrics, by=by)
    return corpus


def _finish(plan: AdditionPlan, keys: Mapping[int, int], by: User | None) -> None:
    """Store the references, and an entry of the audit log."""
    references = [
        Reference(
            sentence_id=keys[position],
            annotator=one.annotator,
            text=one.text,
            edits=None if one.edits is None else [astuple(edit) for edit in one.edits],
        )
        for position, sentence in enumerate(plan.record.sentences)
        for one in sentence.references
    ]
    Reference.objects.bulk_create(references, batch_size=REFERENCES_PER_PIECE)
    if references:
        plan.corpus.references_added_at = timezone.now()
        plan.corpus.save(update_fields=["references_added_at"])
    record_action(
        user=by,
        action=AuditAction.ADD,
        subject=plan.corpus,
        details={
            "systems": [names.name for names in plan.systems],
            "references": len(references),
        },
    )


def _refuse_taken(corpus: Corpus, plan: AdditionPlan) -> None:
    """Names may have been taken since the plan was made."""
    systems = System.every.filter(corpus=corpus)
    taken = {name.casefold() for name in systems.values_list("name", flat=True)}
    if twice := [names.name for names in plan.systems if names.name.casefold() in taken]:
        raise ImportRefusedError(f"A system called {twice[0]} has just been added. Check the files again.")
    if plan.annotators and annotators_of(corpus).intersection(plan.annotators):
        raise ImportRefusedError("References of the same name have just been added. Check the files again.")


def _aligned(corpus: Corpus, record: CorpusRecord) -> CorpusRecord:
    """The record with every sentence of the corpus, in its order."""
    sources = sources_of(corpus)
    if [sentence.source for sentence in record.sentences] == sources:
        return record
    places: dict[str, list[int]] = defaultdict(list)
    for place, source in reversed(list(enumerate(sources))):
        places[source].append(place)
    rows = {place: SentenceRecord(source, {}, (), "", "") for place, source in enumerate(sources)}
    for number, sentence in enumerate(record.sentences, start=1):
        if not places[sentence.source]:
            raise ImportRefusedError(
                f"Sentence {number} of the file is not in corpus {corpus.name!r} (or not as often): "
                f"{sentence.source[:80]!r}. Give the sentences as the corpus has them."
            )
        rows[places[sentence.source].pop()] = sentence
    return replace(record, sentences=tuple(rows[place] for place in range(len(sources))))


class _Outputs:
    """The outputs of a record beside those of the corpus, as numbers."""

    def __init__(self, corpus: Corpus, record: CorpusRecord) -> None:
        outputs = corpus_outputs(corpus)
        keys = dict(Output.objects.filter(sentence__corpus=corpus).values_list("pk", "digest"))
        numbers = {
            (place, keys[key]): number
            for number, (key, place) in enumerate(
                zip(outputs.keys.tolist(), outputs.places.tolist(), strict=True)
            )
        }
        self._known = len(numbers)
        self._stored = {name: picks for name, (_, picks) in outputs.systems.items()}
        self._empty = dict.fromkeys(record.systems, True)
        self._picks = {
            name: np.full(len(record.sentences), NO_OUTPUT, dtype=np.int64) for name in record.systems
        }
        for place, sentence in enumerate(record.sentences):
            for name, text in sentence.outputs.items():
                number = numbers.setdefault((place, text_digest(text)), len(numbers))
                self._picks[name][place] = number
                self._empty[name] &= not text
        self.copies_source = {
            name: all(sentence.outputs.get(name) == sentence.source for sentence in record.sentences)
            for name in record.systems
        }

    def holds(self, name: str, called: str) -> bool:
        """Whether the corpus has a system of this name with the same outputs."""
        return name in self._stored and np.array_equal(self._stored[name], self._picks[called])

    def counts(self, systems: Mapping[str, SystemNames]) -> tuple[int, int]:
        """Numbers of distinct outputs of these systems that are new, and that are there."""
        picked: IntArray = np.unique([self._picks[name] for name in systems]) if systems else np.empty(0, int)
        picked = picked[picked != NO_OUTPUT]
        return int((picked >= self._known).sum()), int((picked < self._known).sum())

    def suspicious(self, systems: Mapping[str, SystemNames]) -> list[str]:
        """Warnings about files that are probably the wrong ones."""
        said = []
        for called, names in systems.items():
            if self._empty[called]:
                said.append(f"System {names.name}: all outputs are empty.")
            for other, picks in self._stored.items():
                if np.array_equal(picks, self._picks[called]):
                    said.append(f"System {names.name}: all outputs are those of {other}.")
        return said


def _check_systems(corpus: Corpus, systems: Mapping[str, SystemNames], there: _Outputs) -> None:
    stored = {
        f"stored {each.name}": SystemNames(each.name, each.label, each.role)
        for each in System.every.filter(corpus=corpus)
    }
    if len(stored) + len(systems) > MAX_SYSTEMS:
        raise ImportRefusedError(
            f"The corpus would have {len(stored) + len(systems)} systems, at most {MAX_SYSTEMS} are allowed."
        )
    has_source = any(names.role == SystemRole.SOURCE for names in stored.values())
    for called, names in systems.items():
        faults = fault_of_label(names.label), fault_of_identifier(names.name), fault_of_family(names.family)
        if fault := next(filter(None, faults), None):
            raise ImportRefusedError(f"System {names.name!r}: {fault}")
        if names.role not in SystemRole.values:
            raise ImportRefusedError(f"{names.role!r} is no role; they are {', '.join(SystemRole.values)}.")
        if names.role == SystemRole.SOURCE and (has_source or not there.copies_source[called]):
            why = "the corpus has one" if has_source else "it changes sentences"
            raise ImportRefusedError(f"System {names.name!r} cannot be the source: {why}.")
        has_source |= names.role == SystemRole.SOURCE
        if names.name in {each.name for each in stored.values()}:
            raise ImportRefusedError(
                f"The corpus has a system {names.name} with other outputs. Give this one another name."
            )
    if twice := [said for called, _, said in clashes({**stored, **systems}) if called in systems]:
        raise ImportRefusedError(twice[0])


def _new_annotators(corpus: Corpus, record: CorpusRecord) -> tuple[list[str], tuple[str, ...]]:
    """The annotators whose references are there already, and those whose are new."""
    given: dict[str, dict[int, str]] = defaultdict(dict)
    for place, sentence in enumerate(record.sentences):
        for one in sentence.references:
            given[one.annotator][place] = one.text
    if not given:
        return [], ()
    stored: dict[str, dict[int, str]] = defaultdict(dict)
    for annotator, place, text in references_of(corpus).values_list(
        "annotator", "sentence__position", "text"
    ):
        stored[annotator][place] = text
    repeated = [name for name, texts in given.items() if texts in stored.values()]
    new = tuple(name for name in given if name not in repeated)
    if taken := stored.keys() & set(new):
        raise ImportRefusedError(
            f"The corpus has other references by {min(taken)!r}. Rename the file to give these another name."
        )
    if len(stored) + len(new) > MAX_ANNOTATORS:
        raise ImportRefusedError(
            f"The corpus would have references by {len(stored) + len(new)} annotators, "
            f"at most {MAX_ANNOTATORS} are allowed."
        )
    return repeated, new


def with_prefixed_annotators(record: CorpusRecord, prefix: str, taken: set[str]) -> CorpusRecord:
    """The record with annotators renamed to *prefix.name*, if one of the names is taken."""
    names = {one.annotator for sentence in record.sentences for one in sentence.references}
    if names.isdisjoint(taken):
        return record

    def renamed(references: Sequence[ReferenceRecord]) -> tuple[ReferenceRecord, ...]:
        return tuple(replace(one, annotator=f"{prefix}.{one.annotator}") for one in references)

    return replace(
        record,
        sentences=tuple(
            replace(sentence, references=renamed(sentence.references)) for sentence in record.sentences
        ),
    )
