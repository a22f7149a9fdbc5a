"""Judgments of a campaign with the metric scores of its corpus, or of files."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
from django.db.models import Count, Max

from analysis.analyses.base import AnyAnalysis, domain_of, includes_machines
from analysis.analyses.judgment_inputs import Judgments, LeftOut, judgments
from analysis.analyses.metric_titles import UPLOADED
from analysis.analyses.metrics.metric_scores import Evaluation, read_evaluation, unparsed, with_parser
from analysis.analyses.metrics.scored_judgments import (
    NO_JUDGED_DOMAIN,
    JudgedTexts,
    ReadInTurn,
    ScoredJudgments,
    ScoresBesideEdits,
    beside_edits,
    computed_scores,
    given_metric,
    given_scores,
    on_systems,
    read_snapshot,
)
from analysis.runs.sources.base import Asked, OfCampaign, Options, Request, Version
from analysis.runs.sources.judgments import (
    JUDGMENTS,
    asked_domain,
    asked_scale,
    excluded_annotators,
    no_domain,
    scale_in,
)
from annotate.management.checkers import add_checker_option, add_language_option
from annotate.management.named_arguments import add_files, by_name
from annotate.models import Campaign, Corpus, ScoreSet, SystemRole, SystemScore
from annotate.scores.corpus_outputs import NO_OUTPUT, CorpusOutputs, corpus_outputs
from annotate.scores.evaluation import evaluation_set
from annotate.scores.metric_setup import english_pipeline
from annotate.scores.queries import finished_sets, score_sets, scored_of
from annotate.scores.styles import metric_and_style
from annotate.scores.tokens import tokens_of
from annotate.scores.unstored_scores import scored_anew
from core.later import pd
from core.parameters import ParameterError
from core.progress import Progress
from formats.metric_scores import GivenScores, read_metric_scores
from formats.snapshot.vocabulary import AnswerKind
from formats.text.lines import read_lines
from formats.text.natural import rules_for
from formats.text.tokenised import are_tokenised
from jobs.refusals import RefusedError
from metrics import (
    AnyMetric,
    Checker,
    InputError,
    MetricError,
    Need,
    Scored,
    UnknownMetricError,
    metric_from_text,
)
from metrics.english.grammar_checkers import CheckerError, HarperChecker, checker_named
from metrics.english.spacy_pipelines import PipelineError
from metrics.meta_evaluation import MetricScores, scores_of_metric, scores_of_systems
from ranking import holds_scores
from ranking.judgments.snapshot import of_sentences, system_names


class NoScoresError(RefusedError):
    """The corpus of the campaign has no metric scores."""


class OfScoredJudgments(OfCampaign):
    """Reads judgments with metric scores.

    Attributes:
        needs_metrics: whether there has to be a metric.
    """

    needs_metrics: ClassVar[bool] = True
    answers: ClassVar[AnswerKind | None] = AnswerKind.RATINGS
    file_help: ClassVar[str] = JUDGMENTS.file_help

    def version(self, subject: Campaign) -> Version:
        """The state of the judgments and of the scores: sets come, and grow by systems."""
        answers = JUDGMENTS.version(subject)
        return Version(f"{answers.state}|{scores_state(subject.corpus)}", answers.size)

    def why_not(self, subject: Campaign, analysis: AnyAnalysis) -> str:
        if not subject.corpus.has_texts:
            return (
                "The judgments were imported without the texts that metrics would score. Import the corpus, "
                "and then the judgments of it."
            )
        if finished_sets(subject.corpus):
            if not subject.judgments.exists():
                return "Nothing has been judged in this campaign yet."
            is_without = analysis.needs_domains and not _has_judged_domains(subject)
            return NO_JUDGED_DOMAIN if is_without else ""
        return f"The corpus {subject.corpus} has no metric scores yet. Score its systems, or upload scores."

    def has_scores(self, subject: Campaign) -> bool:
        return JUDGMENTS.has_scores(subject)

    def left_out(self, subject: Campaign, parameters: Any) -> LeftOut:
        """Systems by role and by name, as the parameters say, excluded annotators, and the domain asked for.

        Raises:
            ParameterError: there is no such system, domain or scale.
        """
        annotators = () if parameters.excluded else tuple(excluded_annotators(subject))
        roles = self.roles_left_out(parameters)
        systems = subject.systems.filter(role__in=roles).values_list("name", flat=True)
        named = self.named_systems(parameters, subject.corpus.systems.values_list("name", flat=True))
        left_out = tuple(sorted({*systems, *named}))
        domain = asked_domain(subject, parameters)
        scale = asked_scale(subject, parameters)
        return LeftOut(left_out, annotators, includes_machines(parameters), domain, scale)

    def roles_left_out(self, parameters: Any) -> list[str]:
        """The roles whose systems the parameters leave out."""
        left_out = {
            SystemRole.CONTROL: not parameters.controls,
            SystemRole.REFERENCE: not parameters.references,
            SystemRole.SOURCE: not parameters.with_source,
        }
        return [role.value for role, is_out in left_out.items() if is_out]

    def named_systems(self, parameters: Any, systems: Iterable[str]) -> tuple[str, ...]:
        """The systems that the parameters leave out by name.

        Raises:
            ParameterError: there is no such system.
        """
        named: tuple[str, ...] = parameters.systems_left_out
        there = sorted(set(systems))
        if unknown := [name for name in named if name not in there]:
            fault = f"there is no system {', '.join(unknown)} to leave out; systems are: {', '.join(there)}"
            raise ParameterError(faults={"exclude_systems": fault})
        return named

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> ScoredJudgments:
        judged = JUDGMENTS.load(request, size, progress, at_once=at_once)
        sets = finished_sets(request.corpus)
        if not sets:
            raise NoScoresError(self.why_not(request.campaign, request.analysis))
        progress.begin("Reading the outputs")
        return with_scores(request, judged, sets, corpus_outputs(request.corpus), progress)

    def add_file_options(self, parser: ArgumentParser) -> None:
        JUDGMENTS.add_file_options(parser)
        further = "further judgments of the same sentences, by other annotators"
        add_files(parser, "--judgments", further, is_named=False)
        self.add_score_options(parser)

    def add_score_options(self, parser: ArgumentParser) -> None:
        """Add the options of a command for scores of metrics, and for what these are computed from."""
        add_files(parser, "--output", "outputs of a system, or its edits in a file that ends in .m2")
        add_files(parser, "--reference", "corrected text of an annotator")
        add_files(parser, "--m2", "gold edits, and references unless --reference is given", is_named=False)
        parser.add_argument(
            "--metric",
            nargs="+",
            action="extend",
            default=[],
            metavar="NAME[:PARAMETER=VALUE]...",
            help="metrics to compute, such as gleu or m2:beta=1",
        )
        parser.add_argument(
            "--scores",
            type=Path,
            nargs="+",
            action="extend",
            default=[],
            metavar="CSV",
            help="scores computed elsewhere: metric,system[,sentence],score",
        )
        parser.add_argument("--source", type=Path, metavar="FILE", help="source sentences, one per line")
        add_checker_option(parser)
        add_language_option(parser)
        parser.add_argument("--domains", type=Path, metavar="FILE", help="domains, one per line")
        parser.add_argument(
            "--first-sentence",
            type=int,
            metavar="N",
            help="number of the first sentence in the judgments (default: 1 for WMT CSV, else 0)",
        )

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        evaluation = _evaluation(options)
        texts = dict(evaluation.outputs) if evaluation else {}
        number = len(evaluation.data.sources) if evaluation else None
        frame = read_snapshot(
            [path, *options["judgments"]],
            texts,
            number,
            first_sentence=options["first_sentence"],
            machines=includes_machines(stated),
        )
        parameters = analysis.resolved(stated, scored=holds_scores(frame))
        given = {csv: read_metric_scores(csv) for csv in options["scores"]}
        sentences = number or _sentences(frame, given.values())
        systems = tuple(sorted({*texts, *_scored_systems(given.values())}))
        metrics = _metrics_of_files(options["metric"], evaluation, systems)
        for csv, scores in given.items():
            metrics += given_scores(scores, systems, sentences, csv)
        if not metrics and self.needs_metrics:
            raise ParameterError(
                "there are no metrics: give --metric with --source and --output, or --scores"
            )
        roles = dict(options["role"])
        gone = [system for system, role in roles.items() if role in self.roles_left_out(parameters)]
        excluded = self.named_systems(parameters, {*system_names(frame), *systems})
        systems_left_out = tuple(sorted({*gone, *excluded}))
        domain = domain_of(parameters)
        left_out = LeftOut(
            systems_left_out,
            with_machines=includes_machines(parameters),
            domain=domain,
            scale=scale_in(frame, parameters),
        )
        domains = [line.strip() for _, line in read_lines(options["domains"])] if options["domains"] else []
        if domain:
            if domain not in domains:
                raise ParameterError(faults={"domain": no_domain(domain, sorted(set(domains)))})
            frame = of_sentences(frame, [place for place, name in enumerate(domains) if name == domain])
        inputs = ScoredJudgments(
            judgments=judgments(frame, analysis.columns, left_out=left_out, roles=roles),
            sentences=sentences,
            systems=systems,
            metrics=tuple(metrics),
            domains=tuple(domains),
            texts=partial(_texts_of_files, evaluation, options) if evaluation else None,
        )
        return Asked(inputs.in_domain(domain) if domain else inputs, parameters)


class _OfScoresBesideEdits(OfScoredJudgments):
    """Reads judgments with metric scores, and adds the judge that prefers more edits."""

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> ScoresBesideEdits:
        return beside_edits(super().load(request, size, progress, at_once=at_once))

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        asked = super().of_file(path, analysis, stated, options)
        return replace(asked, inputs=beside_edits(cast(ScoredJudgments, asked.inputs)))


SCORED_JUDGMENTS = OfScoredJudgments()
SCORES_BESIDE_EDITS = _OfScoresBesideEdits()


def with_scores(
    request: Request,
    judged: Judgments,
    sets: Sequence[ScoreSet],
    outputs: CorpusOutputs,
    progress: Progress,
) -> ScoredJudgments:
    """The judgments with these scores of the outputs of their corpus, of the domain that is asked for."""
    corpus = request.corpus
    systems = tuple(outputs.systems)

    def read(score_set: ScoreSet) -> MetricScores:
        progress.step()
        of_set = _numbers if score_set.is_uploaded else _computed
        return of_set(score_set, outputs, systems)

    places = np.searchsorted(outputs.positions, judged.snapshot["sentence"].to_numpy())
    domains = corpus.sentences.order_by("position").values_list("domain", flat=True)
    scored = ScoredJudgments(
        judgments=replace(judged, snapshot=judged.snapshot.assign(sentence=places)),
        sentences=outputs.sentences,
        systems=systems,
        metrics=ReadInTurn([partial(read, score_set) for score_set in sets]),
        domains=tuple(domains) if any(domains) else (),
        positions=outputs.positions,
        texts=partial(_texts_of_corpus, corpus, outputs, progress),
        step=partial(progress.advance, 0),
    )
    domain = request.left_out.domain
    return scored.in_domain(domain) if domain else scored


def metric_name(score_set: ScoreSet) -> str:
    """The name of a metric with these scores, which says if they were computed elsewhere."""
    return f"{score_set.name}{UPLOADED}" if score_set.is_uploaded else score_set.name


def scores_state(corpus: Corpus) -> str:
    """Value that changes when scores of systems are added."""
    scored = SystemScore.objects.filter(score_set__in=score_sets(corpus))
    newest = scored.aggregate(newest=Max("pk"), number=Count("pk"))
    return f"{newest['number']}:{newest['newest']}"


def _texts_of_corpus(corpus: Corpus, outputs: CorpusOutputs, progress: Progress) -> JudgedTexts:
    texts = [*tokens_of(corpus, outputs, progress=progress.advance), ""]  # The last is that of no output.
    data = evaluation_set(corpus, step=progress.step)
    if corpus.may_be_english:
        data = replace(data, checker=HarperChecker())
    return JudgedTexts(
        data,
        {system: [texts[number] for number in picks] for system, (_, picks) in outputs.systems.items()},
        corpus.text_rules,
    )


def _texts_of_files(evaluation: Evaluation, options: Options) -> JudgedTexts:
    rules = rules_for(options["language"]) if are_tokenised(evaluation.data.sources) else None
    return JudgedTexts(replace(evaluation.data, checker=_checker(options)), evaluation.outputs, rules)


def _computed(score_set: ScoreSet, outputs: CorpusOutputs, systems: Sequence[str]) -> MetricScores:
    """Scores from statistics; without the metric, whose package may have been uninstalled, those stored."""
    try:
        scored = scored_of(score_set, outputs=outputs)
    except (ParameterError, UnknownMetricError):
        return replace(_numbers(score_set, outputs, systems), signature=score_set.signature)
    there = [system for system in systems if system in scored.picks]

    def scored_by(metric: AnyMetric) -> Scored:
        _, style = metric_and_style(score_set.name)
        return scored_anew(metric, score_set.corpus, outputs, there, style=style)

    return on_systems(scores_of_metric(score_set.name, scored, there, score_anew=scored_by), there, systems)


def _numbers(score_set: ScoreSet, outputs: CorpusOutputs, systems: Sequence[str]) -> MetricScores:
    """Scores that are stored as such, without statistics."""
    stored = score_set.output_scores.exclude(score=None).values_list("output", "score")
    keys, values = zip(*stored, strict=True) if stored else ((), ())
    by_output = np.full(len(outputs.keys) + 1, np.nan)  # The last is that of no output.
    by_output[outputs.numbers(np.array(keys, dtype=np.int64))] = values
    by_output[NO_OUTPUT] = np.nan
    given = dict(score_set.system_scores.exclude(value=None).values_list("system__name", "value"))
    of_systems = np.array([given.get(system, np.nan) for system in systems])
    name = metric_name(score_set)
    if not keys:
        return scores_of_systems(name, of_systems)
    of_sentences = np.stack([by_output[outputs.systems[system][1]] for system in systems], axis=1)
    return given_metric(name, of_sentences, of_systems if given else None)


def _evaluation(options: Options) -> Evaluation | None:
    """The texts of files; None where there are none."""
    if options["source"] is None:
        if options["output"] or options["metric"]:
            raise ParameterError("--output and --metric need --source")
        return None
    checks = any(Need.CHECKER in metric.required for metric in _named(options["metric"]).values())
    evaluation = read_evaluation(
        options["source"],
        by_name("--output", options["output"]),
        references=by_name("--reference", options["reference"]),
        m2=options["m2"],
        lenient=False,
        checker=_checker(options) if checks else None,
    )
    roles = dict(options["role"])
    sources = {
        system: evaluation.data.sources
        for system, role in roles.items()
        if role == SystemRole.SOURCE and system not in evaluation.outputs
    }
    return replace(evaluation, outputs={**evaluation.outputs, **sources})


def _checker(options: Options) -> Checker:
    try:
        return checker_named(options["checker"], options["language"])
    except CheckerError as error:
        raise ParameterError(str(error)) from error


def _metrics_of_files(
    names: Sequence[str], evaluation: Evaluation | None, systems: Sequence[str]
) -> list[MetricScores]:
    if evaluation is None:
        return []
    metrics = _named(names)
    there = [system for system in systems if system in evaluation.outputs]
    try:
        pipeline = english_pipeline()
        pipeline.parse_ahead(unparsed(metrics.values(), evaluation))
        evaluations = {name: with_parser(metric, evaluation, pipeline) for name, metric in metrics.items()}
        computed = computed_scores(metrics, evaluations, there, lambda outputs: None)
    except (CheckerError, InputError, MetricError, PipelineError) as error:
        raise ParameterError(str(error)) from error
    return [on_systems(metric, there, systems) for metric in computed]


def _named(names: Sequence[str]) -> dict[str, AnyMetric]:
    try:
        return {name: metric_from_text(name) for name in names}
    except UnknownMetricError as error:
        raise ParameterError(str(error)) from error


def _scored_systems(given: Iterable[Mapping[str, GivenScores]]) -> set[str]:
    return {
        system
        for scores in given
        for metric in scores.values()
        for system in (*metric.systems, *metric.sentences)
    }


def _sentences(frame: pd.DataFrame, given: Iterable[Mapping[str, GivenScores]]) -> int:
    """The least possible number of sentences, if no source states it."""
    scored = [
        max(sentences)
        for scores in given
        for metric in scores.values()
        for sentences in metric.sentences.values()
    ]
    return 1 + max([int(frame["sentence"].max()) if len(frame) else 0, *scored])


def _has_judged_domains(campaign: Campaign) -> bool:
    return campaign.judgments.filter(item__sentence__domain__gt="").exists()
