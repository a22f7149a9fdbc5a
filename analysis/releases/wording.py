"""Sentences about a release that several of its files say."""

from collections.abc import Callable
from functools import wraps

from analysis.releases.about import About
from analysis.releases.facts import Facts
from annotate.models import SystemRole
from assay import __version__
from core.wording import counted, listed
from formats.snapshot.vocabulary import JudgmentState

STATES = {
    JudgmentState.COMPLETE: "complete",
    JudgmentState.SKIPPED: "skipped",
    JudgmentState.AUTO: "with one output, so that there was nothing to ask",
    JudgmentState.SURPLUS: "surplus (arrived after the place had been given to someone else)",
}


def said_of_each(say: Callable[[Facts], str]) -> Callable[[Facts], str]:
    """Say it of each campaign under its name, where there are several."""

    @wraps(say)
    def said(facts: Facts) -> str:
        if not facts.campaigns:
            return say(facts)
        return "\n".join(f"{each.campaign}: {say(each)}" for each in facts.campaigns)

    return said


def summary(facts: Facts) -> str:
    """What the release holds, in sentences."""
    simulated = " The judgments are simulated, not given by people." if facts.is_synthetic else ""
    systems = [
        counted(len(names), kind)
        for role, kind in (
            (SystemRole.SYSTEM, "system"),
            (SystemRole.SOURCE, "unchanged source"),
            (SystemRole.REFERENCE, "human correction"),
            (SystemRole.CONTROL, "control"),
        )
        if (names := facts.systems.get(role))
    ]
    judged = f", of outputs by {listed(systems)}" if systems else ""
    by_machines = (
        f" {counted(facts.machine_judgments, 'judgment')} by machines ({listed(facts.machines)}) are in "
        "a table of their own."
        if facts.machine_judgments
        else ""
    )
    parts = [
        f"{each.campaign} ({each.protocol}; {counted(each.judgments, 'judgment')} by "
        f"{counted(each.annotators, 'annotator')}{', simulated' if each.is_synthetic else ''})"
        for each in facts.campaigns
    ]
    of_campaigns = f" {counted(len(parts), 'campaign')}: {listed(parts)}." if parts else ""
    return (
        f"{counted(facts.judgments, 'judgment')} of {counted(facts.items, 'item')} by "
        f"{counted(facts.annotators, 'annotator')}{judged}.{of_campaigns}{simulated}{by_machines}"
    )


def states(facts: Facts) -> str:
    """Judgments by state."""
    return listed([f"{number:,} {STATES[JudgmentState(state)]}" for state, number in facts.states.items()])


@said_of_each
def timeframe(facts: Facts) -> str:
    """When the judgments were given."""
    if facts.first is None or facts.last is None:
        return "The days of the judgments are not known."
    if facts.first == facts.last:
        return f"All judgments are of {facts.first.isoformat()}."
    return f"From {facts.first.isoformat()} to {facts.last.isoformat()}."


@said_of_each
def protocol(facts: Facts) -> str:
    """How items were judged."""
    where = (
        "collected elsewhere and imported into Assay"
        if facts.is_imported
        else f"collected with Assay {__version__}"
    )
    speed = f" A judgment took {facts.seconds:.1f} s of active time on average." if facts.seconds else ""
    return (
        f"Protocol: {facts.protocol}, {where}. Items were judged {facts.per_item:.2f} times on average."
        f"{speed} The design is in design.json"
        + (", the guidelines are in guidelines.md." if facts.has_guidelines else ".")
    )


@said_of_each
def checks(facts: Facts) -> str:
    """How annotators were checked."""
    parts = [
        "Control outputs (sources with inserted errors) were shown among the outputs."
        if facts.has_controls
        else "",
        f"Annotators had to agree with {counted(facts.practice_needed, 'practice item')} first."
        if facts.practice_needed
        else "",
        f"Judgments of {counted(facts.excluded, 'excluded annotator')} are left out."
        if facts.excluded
        else "No annotator was excluded in Assay.",
        f"{facts.states[JudgmentState.SKIPPED]:,} items were skipped by an annotator; these answers are kept."
        if facts.states.get(JudgmentState.SKIPPED)
        else "",
    ]
    return " ".join(filter(None, parts))


@said_of_each
def agreement(facts: Facts) -> str:
    """Agreement of annotators, in a sentence."""
    known = [each for each in facts.agreement if each.value is not None]
    if not known:
        return "Agreement of annotators is not defined for these judgments."
    return "; ".join(f"{each.figure}: {each.value:.3f} ({each.n:,})" for each in known) + "."


def privacy(about: About) -> str:
    """What was done to protect people."""
    texts = (
        "All texts are left out; digests stand in their place."
        if about.leaves_out_texts
        else "Texts were searched for e-mail addresses, web addresses, phone numbers and card numbers before "
        "the release."
    )
    return (
        "Annotators appear under pseudonyms made for this release only. Names, platform ids, notes and "
        f"times of day are left out; days and durations are kept. {texts}"
    )


def licences(about: About) -> str:
    """The licences in a sentence."""
    own = f"Judgments, scores and descriptions: {about.licence.name} ({about.licence.url})."
    if about.text_licence is None or about.leaves_out_texts:
        return own
    return (
        f"{own} Sentences, outputs, references and texts of annotators: {about.text_licence.name} "
        f"({about.text_licence.url})."
    )
