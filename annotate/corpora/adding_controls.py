"""Adds systems to a corpus: a control for each sentence, its source, and a random reference."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q
from django.db.models.functions import Trim

from annotate.corpora.staged_systems import joining, produce
from annotate.database.staging import pieces
from annotate.design.controls import Control, ControlError, make_control
from annotate.design.controls.sentence import Error
from annotate.design.draws import keyed_seed
from annotate.models import Corpus, InsertedError, Production, Sentence, System, SystemRole
from core.progress import Advance
from formats.naming import as_on_disk
from jobs.refusals import RefusedError

INPUT = "INPUT"
NAMES = {
    SystemRole.SOURCE: INPUT,
    SystemRole.REFERENCE: "REFERENCE",
    SystemRole.CONTROL: "SOURCE+ERROR",
}
ADDITIONS = (SystemRole.SOURCE, SystemRole.REFERENCE)
"""Roles that can be added together with the control."""

SENTENCES_PER_PIECE = 50


class ControlsRefusedError(RefusedError):
    """Controls cannot be added to the corpus; the message says why."""


@dataclass(frozen=True, slots=True)
class Made:
    """An output to be stored.

    Attributes:
        text: of the output.
        errors: inserted into the source; only for controls.
    """

    text: str
    errors: tuple[Error, ...] = ()


MadeOutputs = Mapping[int, Mapping[SystemRole, Made]]
"""Outputs made, by the key of the sentence and the role."""


def make_controls(
    *, corpus: Corpus, seed: int | None = None, additions: Collection[str] = (), progress: Advance
) -> list[SystemRole]:
    """Add a system with the role *control* to a corpus, and others on request; existing ones are kept.

    A system that repeats the source everywhere becomes the source (`recognise_source`); no second one joins.
    Campaigns do not change: an item keeps its outputs, and a campaign its systems. Rows are written in short
    pieces; the systems can be selected once they are complete. The next run discards what a killed run has
    left.

    Args:
        corpus: with texts.
        seed: same seed, same controls and references. By default it follows from `SECRET_KEY` and the corpus,
            so that nobody can compute the controls from their sources.
        additions: which of the roles *source* and *reference* to add.
        progress: gets the number of sentences stored by each piece, and before that 0 for each sentence made.

    Returns:
        The roles that were added; none if all existed.

    Raises:
        ControlsRefusedError: the corpus does not allow it, or another run has taken over; nothing has
            changed.
    """
    if seed is None:
        seed = keyed_seed(settings.SECRET_KEY, "controls", corpus.uuid.int)
    _check(corpus)
    recognise_source(corpus)
    wanted = wanted_roles(corpus, additions)
    if not wanted:
        return []
    lost = (
        f"Someone else is making the controls of {corpus.name!r} right now. "
        "Wait until that is done; they will appear on the corpus page."
    )
    with joining(corpus, refusal=ControlsRefusedError, lost=lost) as under_way:
        made = _made_outputs(corpus, wanted, seed, progress)
        with under_way.piece():
            systems = {
                role: System.objects.create(corpus=corpus, name=NAMES[role], role=role, is_whole=False)
                for role in wanted
            }
        for sentences in pieces(list(made), SENTENCES_PER_PIECE):
            with under_way.piece():
                _store_outputs(systems, {sentence: made[sentence] for sentence in sentences})
            progress(len(sentences))
    return wanted


def recognise_source(corpus: Corpus) -> str | None:
    """If no system has the role *source*, give it to a system whose outputs all equal the source.

    Campaigns see the new role at once; it changes nothing that was judged or ranked.

    Returns:
        The name of that system; None if nothing has changed.
    """
    ordinary = corpus.systems.filter(is_whole=True, role=SystemRole.SYSTEM)
    if corpus.systems.filter(role=SystemRole.SOURCE).exists():
        return None
    productions = Production.objects.filter(system=OuterRef("pk"))
    changed = productions.filter(Q(output__text=None) | ~Q(output__text=Trim("sentence__text")))
    unchanged = ordinary.filter(~Exists(changed)).annotate(produced=Count("productions"))
    same = unchanged.filter(produced=corpus.sentences.count())
    names = sorted(same.values_list("name", flat=True), key=lambda name: (name != INPUT, name))
    if not names or not ordinary.filter(name=names[0]).update(role=SystemRole.SOURCE):
        return None
    return names[0]


def wanted_roles(corpus: Corpus, additions: Collection[str] = ()) -> list[SystemRole]:
    """The roles to be added: those for which the corpus has no system yet.

    Raises:
        ControlsRefusedError: a system with another role has the name that such a system would get.
    """
    systems = System.every.filter(corpus=corpus, is_whole=True)
    whole = dict(systems.values_list("name", "role"))
    wanted = [role for role in ADDITIONS if role in additions] + [SystemRole.CONTROL]
    missing = [role for role in wanted if role not in whole.values()]
    taken = {as_on_disk(name): name for name in whole}
    for role in missing:
        if name := taken.get(as_on_disk(NAMES[role])):
            again = (
                f"Make the controls again without adding the {role}, or import"
                if role in ADDITIONS
                else "Import"
            )
            raise ControlsRefusedError(
                f"Corpus {corpus.name!r} already has a system {name} that is not its {role}. "
                f"{again} the corpus again under another name: with the role {role} for this system if it is "
                "one, or with another name for the system."
            )
    return missing


def _check(corpus: Corpus) -> None:
    if not corpus.has_texts:
        raise ControlsRefusedError(
            f"Corpus {corpus.name!r} has no texts to insert errors into. Import it again, with its sentences."
        )


def _made_outputs(corpus: Corpus, roles: Collection[SystemRole], seed: int, progress: Advance) -> MadeOutputs:
    made = {}
    for sentence in corpus.sentences.order_by("position").prefetch_related("outputs", "references"):
        made[sentence.pk] = dict(_made(sentence, roles, seed, english=corpus.may_be_english))
        progress(0)
    if SystemRole.REFERENCE in roles and not any(
        SystemRole.REFERENCE in by_role for by_role in made.values()
    ):
        raise ControlsRefusedError(
            f"Corpus {corpus.name!r} has no references to draw from. "
            "Make the controls again without adding a reference."
        )
    return made


def _made(
    sentence: Sentence, roles: Collection[SystemRole], seed: int, *, english: bool
) -> Iterator[tuple[SystemRole, Made]]:
    source = sentence.text or ""
    references = sorted({reference.text for reference in sentence.references.all()})
    if SystemRole.SOURCE in roles:
        yield SystemRole.SOURCE, Made(source)
    if SystemRole.REFERENCE in roles and references:
        drawn = np.random.default_rng([seed, sentence.position]).integers(len(references))
        yield SystemRole.REFERENCE, Made(references[drawn])
    if SystemRole.CONTROL in roles:
        outputs = [output.text for output in sentence.outputs.all() if output.text is not None]
        control = _control(sentence, [*outputs, *references], seed, english=english)
        yield SystemRole.CONTROL, Made(control.text, control.errors)


def _control(sentence: Sentence, others: Collection[str], seed: int, *, english: bool) -> Control:
    try:
        return make_control(sentence.text or "", others, seed=seed, english=english)
    except ControlError as error:
        raise ControlsRefusedError(f"Sentence {sentence.position}: {error}.") from error


def _store_outputs(systems: Mapping[SystemRole, System], made: MadeOutputs) -> None:
    rows = [
        (sentence, systems[role], output)
        for sentence, by_role in made.items()
        for role, output in by_role.items()
    ]
    productions = produce([(system, sentence, output.text) for sentence, system, output in rows])
    InsertedError.objects.bulk_create(
        InsertedError(
            production=production,
            kind=error.kind,
            start=error.start,
            end=error.end,
            replacement=error.replacement,
        )
        for production, (*_, output) in zip(productions, rows, strict=True)
        for error in output.errors
    )
