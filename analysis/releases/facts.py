"""What the program knows about a release, which all its descriptions say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import cast

from analysis.analyses.annotators.agreement import AGREEMENT, annotator_agreement
from analysis.analyses.annotators.agreement_result import Coefficient, coefficients
from analysis.analyses.base import UNWEIGHTED
from analysis.analyses.judgment_inputs import Judgments
from analysis.releases.judgment_rows import Counted
from analysis.runs.requests import request_of
from analysis.runs.sources import source_of, version_of
from annotate.design.protocols import title_of
from annotate.judgments.queries import machines
from annotate.models import Campaign, SystemRole
from core.languages import UNDETERMINED
from core.progress import Progress
from core.wording import listed
from ranking import Method, SnapshotError, holds_scores


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about a release; of several campaigns those about all of them.

    Attributes:
        campaign: name of the campaign.
        corpus: name of the corpus.
        language: BCP 47 tag; empty if it is not stated.
        tokenisation: how the texts are written, a value of `Tokenisation`.
        protocol: title of the protocol.
        is_imported: whether the judgments were collected elsewhere.
        is_synthetic: whether they are simulated.
        states: judgments of people by state.
        items: items with a judgment by a person.
        annotators: number of people.
        excluded: number of people whose judgments are left out.
        machine_judgments: judgments of machines.
        machines: the machines in words.
        first, last: days of the first and last answer; None if unknown.
        seconds: mean active time of a judgment in seconds; None if unknown.
        platform: crowd platform; empty if there was none.
        practice_needed: practice items that annotators had to agree with; 0 for none.
        systems: names of systems by role.
        ranking: ExpectedWins by system, best first; None where there is no score. Empty if outputs are not
            compared.
        agreement: measures of agreement; empty if outputs are not compared.
        rows: rows by table.
        is_weighted: whether some comparisons were asked more often than ordinary sampling does.
        has_guidelines: whether the guidelines are known.
        campaigns: facts about each campaign, if there are several; else empty.
    """

    campaign: str
    corpus: str
    language: str
    tokenisation: str
    protocol: str
    is_imported: bool
    is_synthetic: bool
    states: Mapping[str, int]
    items: int
    annotators: int
    excluded: int
    machine_judgments: int
    machines: Sequence[str]
    first: date | None
    last: date | None
    seconds: float | None
    platform: str
    practice_needed: int
    systems: Mapping[str, Sequence[str]]
    ranking: Mapping[str, float | None]
    agreement: Sequence[Coefficient]
    rows: Mapping[str, int]
    is_weighted: bool
    has_guidelines: bool
    campaigns: Sequence[Facts] = ()

    @property
    def each(self) -> Sequence[Facts]:
        """The facts about each campaign."""
        return self.campaigns or (self,)

    @property
    def judgments(self) -> int:
        """Judgments of people in any state."""
        return sum(self.states.values())

    @property
    def per_item(self) -> float:
        """Mean number of judgments of an item by people."""
        return self.judgments / self.items if self.items else 0.0

    @property
    def has_controls(self) -> bool:
        """Whether there were controls."""
        return bool(self.systems.get(SystemRole.CONTROL))

    @property
    def numbers(self) -> dict[str, int]:
        """Numbers that versions are compared by."""
        return {
            "judgments": self.judgments,
            "annotators": self.annotators,
            "machine judgments": self.machine_judgments,
            **{f"rows of {table}": rows for table, rows in self.rows.items()},
        }


Compared = tuple[Mapping[str, float | None], Sequence[Coefficient]]
"""ExpectedWins by system, best first, and measures of agreement."""


def facts_of(campaign: Campaign, compared: Compared, people: Counted, by_machines: Counted) -> Facts:
    """The facts about a campaign whose judgments have been written, without rows."""
    design = getattr(campaign, "design", None)
    crowd = getattr(campaign, "crowd", None)
    systems: dict[str, list[str]] = {}
    for name, role in campaign.systems.order_by("name").values_list("name", "role"):
        systems.setdefault(role, []).append(name)
    ranking, agreement = compared
    language = campaign.corpus.language
    return Facts(
        campaign=campaign.name,
        corpus=campaign.corpus.name,
        language="" if language == UNDETERMINED else language,
        tokenisation=campaign.corpus.tokenisation,
        protocol=title_of(campaign.protocol),
        is_imported=design is None,
        is_synthetic=campaign.synthetic,
        states=dict(sorted(people.states.items())),
        items=people.items,
        annotators=len(people.annotators),
        excluded=campaign.annotators.exclude(excluded_at=None).count(),
        machine_judgments=by_machines.states.total(),
        machines=[str(each.machine) for each in machines(campaign) if each.answers_sent],
        first=people.first,
        last=people.last,
        seconds=people.active_ms / people.timed / 1000 if people.timed else None,
        platform=crowd.place if crowd else "",
        practice_needed=design.practice_needed if design else 0,
        systems=systems,
        ranking=ranking,
        agreement=agreement,
        rows={},
        is_weighted=campaign.items.exclude(propensities=None).exists(),
        has_guidelines=bool(design and design.guidelines),
    )


def facts_together(campaigns: Sequence[Facts], annotators: int, rows: Mapping[str, int]) -> Facts:
    """The facts about a release of these campaigns.

    Args:
        campaigns: facts about each; those about one are returned.
        annotators: number of people, each counted once.
        rows: rows by table.
    """
    if len(campaigns) == 1:
        return replace(campaigns[0], rows=rows)
    states: Counter[str] = Counter()
    systems: dict[str, set[str]] = {}
    for each in campaigns:
        states.update(each.states)
        for role, names in each.systems.items():
            systems.setdefault(role, set()).update(names)
    return replace(
        campaigns[0],
        campaign=listed([each.campaign for each in campaigns]),
        protocol=_distinct(each.protocol for each in campaigns),
        is_imported=all(each.is_imported for each in campaigns),
        is_synthetic=all(each.is_synthetic for each in campaigns),
        states=dict(sorted(states.items())),
        items=sum(each.items for each in campaigns),
        annotators=annotators,
        excluded=sum(each.excluded for each in campaigns),
        machine_judgments=sum(each.machine_judgments for each in campaigns),
        machines=list(dict.fromkeys(name for each in campaigns for name in each.machines)),
        first=min((each.first for each in campaigns if each.first), default=None),
        last=max((each.last for each in campaigns if each.last), default=None),
        seconds=None,
        platform=_distinct(each.platform for each in campaigns if each.platform),
        practice_needed=max(each.practice_needed for each in campaigns),
        systems={role: sorted(names) for role, names in systems.items()},
        ranking={},
        agreement=(),
        rows=rows,
        is_weighted=any(each.is_weighted for each in campaigns),
        has_guidelines=any(each.has_guidelines for each in campaigns),
        campaigns=tuple(campaigns),
    )


def _distinct(names: Iterable[str]) -> str:
    return listed(list(dict.fromkeys(names)))


def compared(campaign: Campaign, progress: Progress) -> Compared:
    """ExpectedWins and agreement over the judgments that count, unweighted, without controls.

    Raises:
        RefusedError: the campaign is too large to be analysed at once.
    """
    if not source_of(AGREEMENT).concerns(campaign, AGREEMENT):
        return {}, ()
    request = request_of(AGREEMENT, campaign, AGREEMENT.parameters())
    # Of this campaign alone, as the release is.
    alone = replace(request, parameters=replace(request.parameters, combined=False, weights=UNWEIGHTED))
    size = version_of(AGREEMENT, campaign).size
    try:
        inputs = source_of(AGREEMENT).load(alone, size, progress, at_once=False)
    except SnapshotError:  # Nothing is compared, as where every item was skipped.
        return {}, ()
    return compared_alone(cast(Judgments, inputs), progress)


def compared_alone(inputs: Judgments, progress: Progress) -> Compared:
    """ExpectedWins and agreement over these judgments, unweighted, without controls."""
    stated = AGREEMENT.resolved(AGREEMENT.parameters(), scored=holds_scores(inputs.snapshot))
    parameters = replace(stated, combined=False, weights=UNWEIGHTED)
    try:
        judging = annotator_agreement(inputs, parameters, progress)
    except SnapshotError:
        return {}, ()
    scores = judging.scores[Method.EXPECTED_WINS]
    best_first = sorted(scores, key=lambda name: (scores[name] is None, -(scores[name] or 0.0), name))
    return {name: scores[name] for name in best_first}, coefficients(judging)
