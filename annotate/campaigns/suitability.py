"""Whether a design fits its protocol: the same checks for the form and for services that store a draft."""

from collections.abc import Mapping

from django.core.exceptions import ValidationError

from annotate.design.practice import check_practice
from annotate.design.protocols import PROTOCOLS, Protocol, options_of
from annotate.models import Corpus, Design, StopsWhen
from core.parameters import ParameterError
from core.wording import counted


def check_design(design: Design, *, protocol: str, systems: int, corpus: Corpus) -> None:
    """Check a draft with this number of systems.

    Raises:
        ValidationError: the protocol is not for essays, which the corpus holds; or it shows fewer or more
            outputs than the draft, needs more systems, or has no such options; or it is to stop when settled,
            and screens compare no outputs.
        PracticeError: the guidelines contain a practice item that does not fit the protocol, or too few.
    """
    asked_by = PROTOCOLS[protocol]
    faults = {
        "protocol": essays_fault(asked_by, corpus),
        "outputs_per_screen": outputs_fault(asked_by, design.outputs_per_screen),
        "systems": systems_fault(asked_by, systems),
        "protocol_options": options_fault(protocol, design.protocol_options),
        "stops_when": stop_fault(
            design.stops_when, design.outputs_per_screen, is_follow_up=bool(design.follow_up)
        ),
    }
    if any(faults.values()):
        raise ValidationError({field: fault for field, fault in faults.items() if fault})
    options = options_of(protocol, design.protocol_options)
    check_practice(design.guidelines, asked_by, options, design.practice_needed)


def essays_fault(protocol: Protocol, corpus: Corpus) -> str | None:
    """Why essays cannot be judged by the protocol; None if they can, and for other corpora."""
    if not corpus.holds_essays or not protocol.not_for_essays:
        return None
    return (
        f"{protocol.title} is for single sentences, and this corpus holds essays. {protocol.not_for_essays}"
    )


def outputs_fault(protocol: Protocol, outputs: int) -> str | None:
    """Why a screen of the protocol cannot show this many outputs; None if it can."""
    if outputs > protocol.most_outputs:
        return f"A screen of this protocol has room for {counted(protocol.most_outputs, 'output')}."
    if outputs < protocol.least_outputs:
        return f"For this protocol it must be at least {protocol.least_outputs}."
    return None


def systems_fault(protocol: Protocol, systems: int) -> str | None:
    """Why this many systems are too few for the protocol; None if they are enough."""
    if systems >= protocol.least_systems:
        return None
    least = {1: "one", 2: "two"}.get(protocol.least_systems, f"{protocol.least_systems}")
    return f"This protocol needs outputs of at least {least}: tick at least {least}."


def stop_fault(stops_when: str, outputs: int | None, *, is_follow_up: bool) -> str | None:
    """Why a campaign with this many outputs on a screen cannot stop when settled; None if it can."""
    if stops_when == StopsWhen.NEVER:
        return None
    if is_follow_up:
        return "A follow-up cannot stop by itself, because its judgments are weighted: choose No."
    if outputs is None or outputs > 1:
        return None
    return "Screens that do not compare outputs settle no ranking: choose No, or show two outputs or more."


def options_fault(protocol: str, stored: Mapping[str, str]) -> str | None:
    """Why the protocol of this name does not have these options; None if it does."""
    try:
        options_of(protocol, stored)
    except ParameterError as error:
        return str(error)
    return None
