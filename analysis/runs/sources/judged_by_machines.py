"""Judgments of people and machines, with looks and metric scores of the same outputs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np

from analysis.analyses.annotators.judged_by_machines import JudgedByMachines, judged_by_machines
from analysis.analyses.base import AnyAnalysis
from analysis.analyses.judgment_inputs import OfSentences
from analysis.analyses.metrics.scored_judgments import ScoredJudgments, read_snapshot
from analysis.runs.sources.base import Asked, Options, Request, Version
from analysis.runs.sources.judgments import JUDGMENTS
from analysis.runs.sources.scored_judgments import OfScoredJudgments, with_scores
from annotate.design.protocols import kind_of_answers
from annotate.judgments.kept_snapshots import kept_answers
from annotate.judgments.pseudonyms import pseudonym
from annotate.judgments.queries import answers_of_machines, machines
from annotate.models import Campaign, Corpus, Output, SystemRole
from annotate.scores.corpus_outputs import NO_OUTPUT, ROWS_AT_ONCE, CorpusOutputs, corpus_outputs
from annotate.scores.queries import finished_sets
from core.arrays import FloatArray, IntArray
from core.later import pd
from core.progress import Progress
from formats.digests import content_digest
from formats.machines import AnnotatorKind
from formats.naming import folded
from formats.snapshot.vocabulary import AnswerKind
from jobs import memory
from ranking.machines import OutputLooks, output_looks, token_edits


class _OfMachines(OfScoredJudgments):
    """Reads judgments of people, then those of machines about the same sentences."""

    needs_metrics: ClassVar[bool] = False
    answers: ClassVar[AnswerKind | None] = None

    def concerns(self, subject: Campaign, analysis: AnyAnalysis) -> bool:
        """Whether its answers rank, score or judge outputs."""
        kinds = AnswerKind.RATINGS, AnswerKind.SCALES, AnswerKind.VERDICTS
        return kind_of_answers(subject.protocol) in kinds

    def version(self, subject: Campaign) -> Version:
        """Changes with the answers of people and of machines, their families, and scores of the corpus."""
        of_people = super().version(subject)
        stated = machines(subject).values_list("answers_sent", "number", "machine__family")
        state = f"{of_people.state}|machines:{sum(sent for sent, *_ in stated)}"
        if families := [[number, family] for _, number, family in stated if family]:
            state += f"|families:{content_digest(families)}"
        return Version(state, of_people.size)

    def why_not(self, subject: Campaign, analysis: AnyAnalysis) -> str:
        """The reason if people have judged nothing."""
        return "" if subject.judgments.exists() else "Nothing has been judged in this campaign yet."

    def roles_left_out(self, parameters: Any) -> list[str]:
        """Controls, unless they are asked for: source and references were judged like systems."""
        return [] if parameters.controls else [SystemRole.CONTROL.value]

    def named_systems(self, parameters: Any, systems: Iterable[str]) -> tuple[str, ...]:
        """None: every system counts."""
        return ()

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> JudgedByMachines:
        judged = JUDGMENTS.load(request, size, progress, at_once=at_once)
        sentences = np.unique(judged.snapshot["sentence"].to_numpy(dtype=np.int64))
        frame = _answers_of_machines(request, sentences, progress)
        progress.begin("Reading the outputs")
        outputs = corpus_outputs(request.corpus)
        gives_verdicts = kind_of_answers(request.campaign.protocol) is AnswerKind.VERDICTS
        sets = [] if gives_verdicts else finished_sets(request.corpus)
        scored = with_scores(request, judged, sets, outputs, progress)
        looks = None
        if request.corpus.has_texts and not gives_verdicts:
            looks = _looks(request.corpus, outputs, sentences, scored, progress)
        relatives = _relatives(request.campaign, request.corpus)
        return judged_by_machines(scored, frame, _titles(request.campaign), looks, relatives=relatives)

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        asked = super().of_file(path, analysis, stated, options)
        scored = cast(ScoredJudgments, asked.inputs)
        first = options["first_sentence"]
        frame = read_snapshot([path, *options["judgments"]], {}, None, first_sentence=first, machines=True)
        judged = scored.judgments.snapshot["sentence"].unique()
        numbers = judged if scored.positions is None else scored.positions[judged]
        is_machine = (frame["annotator_kind"] == AnnotatorKind.MACHINE).to_numpy(dtype=bool)
        own = frame[is_machine & frame["sentence"].isin(numbers)]
        own = scored.judgments.left_out.counted(own)[list(analysis.columns)]
        looks = None
        if scored.texts is not None:
            texts = scored.texts()
            looks = output_looks(texts.data.sources, {name: texts.outputs[name] for name in scored.systems})
        made = judged_by_machines(scored, own.reset_index(drop=True), {}, looks)
        return Asked(made, asked.parameters)


def _answers_of_machines(request: Request, sentences: IntArray, progress: Progress) -> pd.DataFrame:
    """The judgments of machines of these sentences, without those of excluded machines unless asked."""
    progress.begin("Reading the judgments of machines", total=answers_of_machines(request.campaign))
    kept = kept_answers(request.campaign, kind=AnnotatorKind.MACHINE, progress=progress.advance)
    columns = {*request.analysis.columns, "rating_details"}
    frame = OfSentences(kept, set(sentences.tolist())).frame(columns, progress.step)
    memory.give_back()
    if not request.parameters.excluded:
        excluded = machines(request.campaign).exclude(excluded_at=None).values_list("name", flat=True)
        keys = [pseudonym(request.campaign, name) for name in excluded]
        frame = frame[~frame["annotator"].isin(keys)].reset_index(drop=True)
    return request.left_out.counted(frame)[list(request.analysis.columns)]


def _titles(campaign: Campaign) -> dict[str, str]:
    """What machines are called, by pseudonym: number and model."""
    return {
        pseudonym(campaign, each.name): f"{each.known_as} ({each.machine})" for each in machines(campaign)
    }


def _relatives(campaign: Campaign, corpus: Corpus) -> dict[str, tuple[str, ...]]:
    """The systems that state the family of a machine, by the machine's pseudonym; case does not count."""
    families = corpus.systems.exclude(family="").order_by("name").values_list("name", "family")
    relatives = {}
    for each in machines(campaign).exclude(machine__family=""):
        own = folded(each.machine.family)
        if named := tuple(name for name, family in families if folded(family) == own):
            relatives[pseudonym(campaign, each.name)] = named
    return relatives


def _looks(
    corpus: Corpus,
    outputs: CorpusOutputs,
    sentences: IntArray,
    scored: ScoredJudgments,
    progress: Progress,
) -> OutputLooks:
    """Looks of the outputs of sentences that people judged; texts are read one after the other."""
    judged = np.isin(outputs.positions, sentences)
    of_outputs: FloatArray = np.full((len(outputs.keys) + 1, 2), np.nan)  # The last row is that of no output.
    sources = dict(corpus.sentences.order_by().values_list("position", "text"))
    rows = Output.objects.filter(sentence__corpus=corpus, text__isnull=False).order_by()
    numbers = {key: number for number, key in enumerate(outputs.keys.tolist())}
    for place, (key, text) in enumerate(rows.values_list("pk", "text").iterator(chunk_size=ROWS_AT_ONCE)):
        number = numbers.get(key, NO_OUTPUT)
        if number != NO_OUTPUT and judged[outputs.places[number]]:
            source = sources[int(outputs.positions[outputs.places[number]])] or ""
            shown = text or ""
            of_outputs[number] = len(shown), token_edits(source, shown)
        if place % ROWS_AT_ONCE == 0:
            progress.step()
    chosen = np.arange(outputs.sentences)
    if scored.positions is not None:
        chosen = np.searchsorted(outputs.positions, scored.positions)
    picks = np.stack([outputs.systems[name][1][chosen] for name in scored.systems], axis=1)
    alike = (picks[:, :, np.newaxis] == picks[:, np.newaxis]).argmax(axis=2)
    return OutputLooks(of_outputs[picks, 0], of_outputs[picks, 1], alike)


JUDGED_BY_MACHINES = _OfMachines()
