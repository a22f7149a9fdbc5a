"""Judgments of a campaign, or of a file, alone, with documents or with the texts that were judged."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
from django.core.cache import cache
from django.db.models import F

from analysis.analyses.base import AnyAnalysis, domain_of, includes_machines, scale_of
from analysis.analyses.from_judgments import FromPeople, adds_followed
from analysis.analyses.judgment_inputs import (
    DocumentJudgments,
    DomainJudgments,
    GroupedJudgments,
    JudgedTexts,
    Judgments,
    KeptSnapshot,
    LeftOut,
    MeasuredJudgments,
    OfSentences,
    in_groups,
    judgments,
    judgments_in_pieces,
    measured,
    with_texts,
)
from analysis.runs.sources.base import Asked, OfCampaign, Options, Request, Version
from annotate.campaigns.follow_ups.one_sample import InOneSample, is_one_sample, one_sample
from annotate.corpora.planted_errors import planted_errors
from annotate.corpora.queries import domains_of, source_name
from annotate.design.protocols import kind_of_answers
from annotate.design.protocols.correction_warnings import word_count
from annotate.judgments.kept_snapshots import kept_answers
from annotate.judgments.pseudonyms import pseudonym
from annotate.judgments.queries import answers_version, compared_by, rated_by_score, roles_of, snapshot
from annotate.models import Campaign, Corpus, Output, SystemRole
from core.later import pd
from core.parameters import ParameterError
from core.progress import Progress
from formats.judgments import READ_FORMATS
from formats.machines import AnnotatorKind
from formats.snapshot.snapshots import frame_of_file, joined
from formats.snapshot.vocabulary import AnswerKind
from jobs import memory
from ranking import holds_scores, without_systems
from ranking.judgments.scales import scale_values
from ranking.judgments.snapshot import of_sentences
from ranking.judgments.system_rows import numbered

Role = tuple[str, str]

COUNTED = ("judgment", "annotator", "output")
TEXT_COLUMNS = ("sentence", "output", "source", "text")
ROWS_AT_ONCE = 5000

NOT_SAMPLED = "machines' items are no sample that can be weighted beside those of several campaigns"
NO_DOMAINS = "a file of judgments names no domains; import it, and name the campaign"
FOLLOWS_NONE = "these judgments are of a campaign that follows no other"


class OfJudgments(OfCampaign):
    """Reads judgments."""

    file_help: ClassVar[str] = f"judgments: {READ_FORMATS}"

    def version(self, subject: Campaign) -> Version:
        versions = [answers_version(campaign) for campaign in (subject, *subject.followed)]
        state = "+".join(f"{number}:{newest}" for number, newest in versions)
        return Version(f"{state}{subject.corpus.description_state}", sum(number for number, _ in versions))

    def has_scores(self, subject: Campaign) -> bool:
        """Whether there are scores and no ranks, which the first answer decides."""
        key = f"has-scores:{subject.uuid}"
        scored = cache.get(key)
        if scored is None:
            known = map(rated_by_score, (subject, *subject.followed))
            scored = next((by_score for by_score in known if by_score is not None), None)
            if scored is not None:
                cache.set(key, scored, timeout=None)
        return bool(scored)

    def left_out(self, subject: Campaign, parameters: Any) -> LeftOut:
        """The controls and excluded annotators that the parameters leave out, and their domain.

        Raises:
            ParameterError: there is no such domain or scale, or judgments of another campaign are to be
                added, and this one follows none.
        """
        if adds_followed(parameters) and not subject.follows:
            raise ParameterError(faults={"combined": FOLLOWS_NONE})
        if includes_machines(parameters) and adds_followed(parameters) and is_one_sample(subject):
            raise ParameterError(faults={"machines": NOT_SAMPLED})
        systems: list[str] = []
        annotators: list[str] = []
        if not getattr(parameters, "controls", True):
            controls = subject.systems.filter(role=SystemRole.CONTROL).order_by("name")
            systems = list(controls.values_list("name", flat=True))
        if isinstance(parameters, FromPeople) and not parameters.excluded:
            annotators = [
                key for campaign in _judged(subject, parameters) for key in excluded_annotators(campaign)
            ]
        return LeftOut(
            tuple(systems),
            tuple(sorted(annotators)),
            includes_machines(parameters),
            asked_domain(subject, parameters),
            asked_scale(subject, parameters),
        )

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> Judgments:
        progress.begin("Reading the judgments", total=size)
        campaigns = _judged(request.campaign, request.parameters)
        is_together = len(campaigns) > 1 and is_one_sample(request.campaign)
        kinds = list(AnnotatorKind) if request.left_out.with_machines else [AnnotatorKind.PERSON]
        sentences = None
        if domain := request.left_out.domain:
            sentences = set(request.corpus.sentences.filter(domain=domain).values_list("position", flat=True))
        if at_once:
            frame = joined(snapshot(campaign, kind=kind) for campaign in campaigns for kind in kinds)
            if sentences is not None:
                frame = of_sentences(frame, sentences)
            if is_together:
                sizes = [
                    _counted(frame[frame["campaign"] == each.name], request.left_out) for each in campaigns
                ]
                frame = one_sample(campaigns, sizes).of(frame)
            return judgments_of(request, frame)
        kept: Sequence[KeptSnapshot] = [
            kept_answers(campaign, kind=kind, progress=progress.advance)
            for campaign in campaigns
            for kind in kinds
        ]
        if sentences is not None:
            kept = [OfSentences(each, sentences) for each in kept]

        if is_together:
            sizes = [_counted(each.frame(COUNTED, progress.step), request.left_out) for each in kept]
            sample = one_sample(campaigns, sizes)
            kept = [InOneSample(each, sample) for each in kept]
        inputs = judgments_in_pieces(
            kept,
            request.analysis.columns,
            left_out=request.left_out,
            roles=roles_of(request.campaign),
            source=source_name(request.campaign.corpus),
            step=progress.step,
        )
        memory.give_back()
        return inputs

    def add_file_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--role",
            nargs="+",
            type=_role,
            default=[],
            metavar="SYSTEM=ROLE",
            help="roles of systems of a file: source, reference or control",
        )

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        machines = includes_machines(stated)
        frame = without_systems(frame_of_file(path, machines=machines), options.get("exclude_systems", ()))
        if adds_followed(stated):
            raise ParameterError(faults={"combined": FOLLOWS_NONE})
        if domain_of(stated):
            raise ParameterError(faults={"domain": NO_DOMAINS})
        parameters = analysis.resolved(stated, scored=holds_scores(frame))
        roles: list[Role] = options["role"]
        source = next((system for system, role in roles if role == SystemRole.SOURCE), None)
        inputs = judgments(
            frame,
            analysis.all_columns,
            left_out=LeftOut(with_machines=machines, scale=scale_in(frame, stated)),
            roles=dict(roles),
            source=source,
        )
        return Asked(inputs, parameters)


def _counted(frame: pd.DataFrame, left_out: LeftOut) -> int:
    """The number of judgments of outputs that count."""
    counts = frame["output"].notna() & ~frame["annotator"].isin(left_out.annotators)
    return int(frame.loc[counts, "judgment"].nunique())


def _judged(campaign: Campaign, parameters: object) -> list[Campaign]:
    """The campaigns whose judgments the parameters ask for, the requested one first."""
    return [campaign, *campaign.followed] if adds_followed(parameters) else [campaign]


def asked_domain(campaign: Campaign, parameters: object) -> str:
    """The domain to which the parameters keep; empty if they ask for none.

    Raises:
        ParameterError: the corpus has no such domain.
    """
    domain = domain_of(parameters)
    if domain and not campaign.corpus.sentences.filter(domain=domain).exists():
        raise ParameterError(faults={"domain": no_domain(domain, domains_of(campaign.corpus))})
    return domain


def asked_scale(campaign: Campaign, parameters: object) -> str:
    """The scale whose points are to be the scores; empty if the parameters ask for none.

    Raises:
        ParameterError: the campaign has no such scale.
    """
    return _scale_among(partial(compared_by, campaign), parameters)


def scale_in(frame: pd.DataFrame, parameters: object) -> str:
    """The scale whose points in a file are to be the scores; empty if the parameters ask for none.

    Raises:
        ParameterError: the file has no such scale.
    """
    return _scale_among(lambda: list(map(str, scale_values(frame))), parameters)


def _scale_among(scales: Callable[[], Sequence[str]], parameters: object) -> str:
    scale = scale_of(parameters)
    if scale and scale not in (there := scales()):
        fault = f"there is no scale {scale}; scales are: {', '.join(there) or 'none'}"
        raise ParameterError(faults={"scale": fault})
    return scale


def no_domain(domain: str, there: Sequence[str]) -> str:
    """The error that there is no domain of this name, but these."""
    return f"there is no domain {domain}; domains are: {', '.join(there) or 'none'}"


def excluded_annotators(campaign: Campaign) -> list[str]:
    """The pseudonyms of the annotators whose judgments do not count, sorted."""
    names = campaign.annotators.exclude(excluded_at=None).values_list("name", flat=True)
    return sorted(pseudonym(campaign, name) for name in names)


class _InGroups(OfJudgments):
    """Reads judgments with the documents, or the domains, of the campaign's corpus.

    Attributes:
        kind: of the inputs.
        group: field of a sentence that names its group.
    """

    def __init__(self, kind: type[GroupedJudgments], group: str) -> None:
        self.kind, self.group = kind, group

    def why_not(self, subject: Campaign, analysis: AnyAnalysis) -> str:
        """The reason if its sentences belong to no groups."""
        if subject.corpus.sentences.filter(**{f"{self.group}__gt": ""}).exists():
            return ""
        return f"The sentences stand in no {self.group}s. Import the corpus with {self.group}s."

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> GroupedJudgments:
        judged = super().load(request, size, progress, at_once=at_once)
        sentences = request.campaign.corpus.sentences.exclude(**{self.group: ""})
        return in_groups(self.kind, judged, dict(sentences.values_list("position", self.group)))

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        raise ParameterError(f"a file of judgments names no {self.group}s; import it, and name the campaign")


class _Measured(OfJudgments):
    """Reads judgments with the lengths of sentences and, if errors are marked, the errors of controls."""

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> MeasuredJudgments:
        judged = super().load(request, size, progress, at_once=at_once)
        texts = request.campaign.corpus.sentences.exclude(text=None).order_by()
        words = {place: word_count(text) for place, text in texts.values_list("position", "text").iterator()}
        marks = kind_of_answers(request.campaign.protocol) is AnswerKind.SPANS
        return measured(judged, words, planted_errors(request.campaign.corpus) if marks else {})

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        asked = super().of_file(path, analysis, stated, options)
        return replace(asked, inputs=measured(cast(Judgments, asked.inputs), {}))


class _WithTexts(OfJudgments):
    """Reads judgments with the texts of the judged outputs."""

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> JudgedTexts:
        judgments = super().load(request, size, progress, at_once=at_once)
        return with_texts(judgments, _texts(request.campaign.corpus, judgments.snapshot, progress))

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        asked = super().of_file(path, analysis, stated, options)
        return replace(
            asked, inputs=with_texts(cast(Judgments, asked.inputs), pd.DataFrame(columns=TEXT_COLUMNS))
        )


JUDGMENTS = OfJudgments()
DOCUMENT_JUDGMENTS = _InGroups(DocumentJudgments, "document")
DOMAIN_JUDGMENTS = _InGroups(DomainJudgments, "domain")
JUDGED_TEXTS = _WithTexts()
MEASURED_JUDGMENTS = _Measured()


def judgments_of(request: Request, frame: pd.DataFrame) -> Judgments:
    """The inputs of a requested analysis, from the campaign's snapshot."""
    return judgments(
        frame,
        request.analysis.columns,
        left_out=request.left_out,
        roles=roles_of(request.campaign),
        source=source_name(request.campaign.corpus),
    )


def _role(argument: str) -> Role:
    system, equals, role = argument.rpartition("=")
    if not equals or role not in SystemRole.values:
        raise ArgumentTypeError(f"write SYSTEM=ROLE, of {', '.join(SystemRole.values)}, not {argument!r}")
    return system, role


def _texts(corpus: Corpus, snapshot: pd.DataFrame, progress: Progress) -> pd.DataFrame:
    """The texts of the judged outputs, read in pieces."""
    if not corpus.has_texts:
        return pd.DataFrame(columns=TEXT_COLUMNS)
    shown = snapshot[["sentence", "output"]]
    distinct = shown.iloc[np.unique(numbered(shown["sentence"], shown["output"]), return_index=True)[1]]
    judged = set(zip(distinct["sentence"], distinct["output"].astype("object"), strict=True))
    rows = Output.objects.filter(sentence__corpus=corpus, text__isnull=False).order_by()
    values = rows.values_list(F("sentence__position"), "digest", F("sentence__text"), "text")
    read = []
    for place, row in enumerate(values.iterator(chunk_size=ROWS_AT_ONCE)):
        if row[:2] in judged:
            read.append(row)
        if place % ROWS_AT_ONCE == 0:
            progress.step()
    return pd.DataFrame(read, columns=TEXT_COLUMNS)
