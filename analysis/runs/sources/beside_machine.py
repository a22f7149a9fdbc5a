"""Judgments of people, beside the answers of one machine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, cast

from analysis.analyses.base import AnyAnalysis, counts_on_machine, domain_of
from analysis.analyses.from_judgments import BesideMachine, adds_followed
from analysis.analyses.judgment_inputs import (
    ANSWERED,
    LET_ONE_JUDGE,
    NO_MACHINE,
    Judgments,
    JudgmentsBesideMachine,
    LeftOut,
    beside_machine,
    beside_none,
    judgments,
)
from analysis.runs.sources.base import Asked, Options, Request, Version
from analysis.runs.sources.judgments import FOLLOWS_NONE, NO_DOMAINS, OfJudgments, scale_in
from annotate.judgments.kept_snapshots import kept_answers
from annotate.judgments.pseudonyms import pseudonym
from annotate.judgments.queries import answers_of_machines, machines, snapshot
from annotate.models import Annotator, Campaign, SystemRole
from core.later import pd
from core.parameters import ParameterError
from core.progress import Progress
from formats.judgments import READ_FORMATS, read_judgments
from formats.machines import AnnotatorKind, known_as
from formats.snapshot.resolution import resolve
from formats.snapshot.snapshots import frame_of_judgments, joined
from ranking import holds_scores, without_systems
from ranking.judgments.snapshot import of_sentences

NONE_IN_FILE = "no machine judged in this file: the column annotator_kind says machine nowhere"


class _BesideMachine(OfJudgments):
    """Reads judgments of people, and those of a machine of this campaign and of those that it follows."""

    file_help: ClassVar[str] = f"judgments of people and machines: {READ_FORMATS}"

    def version(self, subject: Campaign) -> Version:
        """Changes when machines answer, too."""
        people = super().version(subject)
        answers = [answers_of_machines(each) for each in (subject, *subject.followed)]
        return Version(f"{people.state}|machines:{'+'.join(map(str, answers))}", people.size + sum(answers))

    def why_not(self, subject: Campaign, analysis: AnyAnalysis) -> str:
        """The reason if no machine has judged."""
        return "" if machines_that_judged(subject) else f"{NO_MACHINE}. {LET_ONE_JUDGE}"

    def left_out(self, subject: Campaign, parameters: BesideMachine) -> LeftOut:
        """What the parameters leave out.

        Raises:
            ParameterError: as of all judgments, or there is no such machine.
        """
        self._chosen(subject, parameters)
        return super().left_out(subject, parameters)

    def load(
        self, request: Request, size: int, progress: Progress, *, at_once: bool
    ) -> JudgmentsBesideMachine:
        judged = super().load(request, size, progress, at_once=at_once)
        campaign = request.campaign
        machine = self._chosen(campaign, request.parameters)
        if machine is None:
            return beside_none(judged)
        answers = joined(
            _answers(each, request.analysis, progress, at_once=at_once)
            for each in _everywhere(machine, campaign)
        )
        if domain := request.left_out.domain:
            sentences = request.corpus.sentences.filter(domain=domain)
            answers = of_sentences(answers, set(sentences.values_list("position", flat=True)))
        return beside_machine(
            judged,
            answers,
            request.analysis.columns,
            machine=machine.number,
            model=str(machine.machine),
        )

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        wanted = cast(BesideMachine, stated)
        if adds_followed(stated):
            raise ParameterError(faults={"combined": FOLLOWS_NONE})
        if domain_of(stated):
            raise ParameterError(faults={"domain": NO_DOMAINS})
        records = list(resolve(read_judgments(path), path))
        models = {each.annotator: known_as(each.machine) for each in records if each.machine is not None}
        if not models:
            raise ParameterError(NONE_IN_FILE)
        names = list(models)
        number = wanted.machine or 1
        if number > len(names):
            raise ParameterError(faults={"machine": _no_machine(number, range(1, len(names) + 1))})
        frame = frame_of_judgments(records, campaign=path.stem, machines=True)
        frame = without_systems(frame, options.get("exclude_systems", ()))
        is_machine = frame["annotator"].isin(names)
        people = frame[~is_machine].reset_index(drop=True)
        roles = dict(options["role"])
        judged = judgments(
            people,
            analysis.all_columns,
            left_out=LeftOut(scale=scale_in(people, stated)),
            roles=roles,
            source=next((system for system, role in roles.items() if role == SystemRole.SOURCE), None),
        )
        inputs = beside_machine(
            judged,
            frame[frame["annotator"] == names[number - 1]].reset_index(drop=True),
            analysis.columns,
            machine=number,
            model=models[names[number - 1]],
        )
        return Asked(inputs, analysis.resolved(stated, scored=holds_scores(people)))

    def _chosen(self, campaign: Campaign, parameters: BesideMachine) -> Annotator | None:
        """The machine that the parameters ask for; None if none has judged.

        Raises:
            ParameterError: they ask for one that has not judged.
        """
        there = machines_that_judged(campaign)
        number = parameters.machine
        if number is None:
            return there[0] if there else None
        chosen = next((machine for machine in there if machine.number == number), None)
        if chosen is None:
            raise ParameterError(faults={"machine": _no_machine(number, [each.number for each in there])})
        return chosen


class _WithMachineIfAsked(_BesideMachine):
    """Reads judgments of people, and those of a machine if the parameters ask for one."""

    file_help: ClassVar[str] = f"judgments: {READ_FORMATS}"

    def version(self, subject: Campaign) -> Version:
        """That of people; a request for a machine adds its answers (`version_of_request`)."""
        return OfJudgments.version(self, subject)

    def why_not(self, subject: Campaign, analysis: AnyAnalysis) -> str:
        return OfJudgments.why_not(self, subject, analysis)

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        if counts_on_machine(stated):
            return super().of_file(path, analysis, stated, options)
        asked = OfJudgments.of_file(self, path, analysis, stated, options)
        return replace(asked, inputs=beside_none(cast(Judgments, asked.inputs)))

    def _chosen(self, campaign: Campaign, parameters: BesideMachine) -> Annotator | None:
        return super()._chosen(campaign, parameters) if counts_on_machine(parameters) else None


def machines_that_judged(campaign: Campaign) -> list[Annotator]:
    """The machines of the campaign, or else of the campaigns that it follows, that have judged, by number."""
    for each in (campaign, *campaign.followed):
        if each.last_machine_number and (judged := list(machines(each).filter(answers_sent__gt=0))):
            return judged
    return []


def _no_machine(number: int, there: Iterable[int]) -> str:
    listed = ", ".join(map(str, there)) or "none"
    return f"there is no machine {number} that has judged; machines are: {listed}"


def _everywhere(machine: Annotator, campaign: Campaign) -> list[Annotator]:
    """The machine in the campaign and in those that it follows, by its name."""
    everywhere = Annotator.every.filter(
        campaign__in=[campaign, *campaign.followed], name=machine.name, kind=AnnotatorKind.MACHINE.value
    )
    return list(everywhere.select_related("campaign").order_by("-campaign"))


def _answers(machine: Annotator, analysis: AnyAnalysis, progress: Progress, *, at_once: bool) -> pd.DataFrame:
    """What a machine answered in its campaign."""
    kind, campaign = AnnotatorKind.MACHINE, machine.campaign
    if at_once:
        return snapshot(campaign, annotator=machine, kind=kind)
    columns = {*analysis.columns, *ANSWERED, "annotator", "rating_details"}
    kept = kept_answers(campaign, kind=kind, progress=progress.advance)
    return kept.of(pseudonym(campaign, machine.name)).frame(columns, progress.step)


BESIDE_MACHINE = _BesideMachine()
WITH_MACHINE_IF_ASKED = _WithMachineIfAsked()
