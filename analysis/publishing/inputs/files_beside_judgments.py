"""The files of a bundle beside its judgments, by kind of inputs.

A new kind of inputs becomes publishable by an entry in `BESIDE_JUDGMENTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from analysis.analyses.analysis_inputs import Inputs
from analysis.analyses.annotators.annotators_and_style import styles
from analysis.analyses.annotators.judged_by_machines import JudgedByMachines
from analysis.analyses.judgment_inputs import (
    DocumentJudgments,
    DomainJudgments,
    GroupedJudgments,
    JudgedTexts,
    Judgments,
    JudgmentsBesideMachine,
    WithMachineIfAsked,
    beside_machine,
    beside_none,
    in_groups,
    with_texts,
)
from analysis.analyses.metrics.scored_judgments import ScoredJudgments, ScoresBesideEdits, beside_edits
from analysis.analyses.systems.beside_references import EditsBesideReferences
from analysis.publishing.inputs.edits import MADE_EDITS, MATCHES, PRODUCED, read_edits, write_edits
from analysis.publishing.inputs.judgments import read_judgments, write_judgments
from analysis.publishing.inputs.machines import (
    FAMILIES,
    LOOKS,
    MACHINE_JUDGMENTS,
    MACHINES,
    read_machines,
    write_machines,
)
from analysis.publishing.inputs.plain_tables import read_table, whole_numbers, write_table
from analysis.publishing.inputs.renaming import Renaming
from analysis.publishing.inputs.scores import (
    SCORE_DIGESTS,
    SCORES,
    SENTENCES,
    STATISTICS,
    read_scores,
    read_sentences,
    write_scores,
)
from analysis.publishing.stated import BundleError, Stated, StatedMetric
from core.formulas import guarded, unguarded
from core.later import pd
from core.progress import Progress

JUDGMENTS, STYLE = "judgments.csv", "style.csv"
MACHINE, ANSWERS = "machine.csv", "machine_answers.csv"


@dataclass(frozen=True, slots=True)
class FilesBeside:
    """What a bundle of one kind of inputs holds beside the judgments.

    Attributes:
        needed: names of the files that every such bundle has.
        optional: names of the files that some have.
        write: writes the files into a folder, with systems and outputs renamed, and returns the metrics whose
            scores they hold. They name no annotator. May report progress.
        read: makes the inputs from the folder, the request and the judgments, and may report progress. Their
            digest must be that of the inputs that were written, unless systems or outputs were renamed.
            Raises `BundleError` for files that it cannot read.
        meanings: by name of a file, what it holds, in the words of the data sheet.
    """

    write: Callable[[Path, Any, Renaming, Progress], tuple[StatedMetric, ...]]
    read: Callable[[Path, Stated, Judgments, Progress], Inputs]
    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    meanings: Mapping[str, str] = field(default_factory=dict)


def files_beside(kind: type[Inputs]) -> FilesBeside:
    """The files of this kind of inputs.

    Raises:
        TypeError: nothing says how a bundle holds such inputs.
    """
    if kind not in BESIDE_JUDGMENTS:
        raise TypeError(f"BESIDE_JUDGMENTS in {__name__} does not say how a bundle holds {kind.__name__}")
    return BESIDE_JUDGMENTS[kind]


def _write_texts(
    folder: Path, inputs: JudgedTexts, renaming: Renaming, progress: Progress
) -> tuple[StatedMetric, ...]:
    """Write the style of outputs, as numbers, in place of their texts."""
    if len(inputs.texts):
        _write_style(folder / STYLE, styles(inputs), renaming)
    return ()


def _read_texts(folder: Path, stated: Stated, judged: Judgments, progress: Progress) -> JudgedTexts:
    style = _read_style(folder / STYLE) if (folder / STYLE).exists() else None
    return with_texts(judged, pd.DataFrame(columns=["sentence", "output"]), style=style)


def _write_style(path: Path, style: pd.DataFrame | None, renaming: Renaming) -> None:
    columns = [] if style is None else list(style.columns)
    rows = (
        [sentence, renaming.output(str(output)), *values]
        for (sentence, output), *values in ([] if style is None else style.itertuples(name=None))
    )
    write_table(path, ["sentence", "output", *columns], sorted(rows))


def _read_style(path: Path) -> pd.DataFrame:
    try:
        read = pd.read_csv(path, dtype={"output": "object"})
        return read.set_index(["sentence", "output"]).astype(float)
    except (OSError, ValueError, KeyError) as error:
        raise BundleError(f"{STYLE} cannot be read: {error}") from error


def _groups(kind: type[GroupedJudgments], group: str) -> FilesBeside:
    """The document, or the domain, of each judged sentence."""
    name, columns = f"{group}s.csv", ("sentence", group)

    def write(
        folder: Path, inputs: GroupedJudgments, renaming: Renaming, progress: Progress
    ) -> tuple[StatedMetric, ...]:
        rows = ((sentence, guarded(named)) for sentence, named in inputs.groups.items())
        write_table(folder / name, columns, rows)
        return ()

    def read(folder: Path, stated: Stated, judged: Judgments, progress: Progress) -> GroupedJudgments:
        table = read_table(folder / name, columns)
        sentences = whole_numbers(table["sentence"], name).tolist()
        groups = zip(sentences, map(unguarded, table[group]), strict=True)
        return in_groups(kind, judged, {sentence: named or "" for sentence, named in groups})

    return FilesBeside(write, read, needed=(name,), meanings={name: f"the {group} of each judged sentence."})


def _read_scores(folder: Path, stated: Stated, judged: Judgments, progress: Progress) -> ScoredJudgments:
    numbers, domains = read_sentences(folder)
    systems, metrics = read_scores(folder, stated.metrics, numbers, progress)
    sentences = judged.snapshot["sentence"].to_numpy()
    if not np.isin(sentences, numbers).all():
        raise BundleError(f"{JUDGMENTS} has a sentence that {SENTENCES} lacks")
    places = np.searchsorted(numbers, sentences)
    return ScoredJudgments(
        judgments=replace(judged, snapshot=judged.snapshot.assign(sentence=places)),
        sentences=len(numbers),
        systems=systems,
        metrics=metrics,
        domains=domains,
        positions=numbers,
        step=progress.step,
    )


def _read_scores_beside_edits(
    folder: Path, stated: Stated, judged: Judgments, progress: Progress
) -> ScoresBesideEdits:
    return beside_edits(_read_scores(folder, stated, judged, progress))


def _write_machine(
    folder: Path, inputs: JudgmentsBesideMachine, renaming: Renaming, progress: Progress
) -> tuple[StatedMetric, ...]:
    """Write what the machine is, and its answers as judgments of the only annotator."""
    write_table(folder / MACHINE, ("machine", "model"), [(inputs.machine, guarded(inputs.model))])
    answers = inputs.answers
    write_judgments(
        folder / ANSWERS,
        answers,
        np.arange(len(answers)),
        title="answers of a machine",
        annotators=dict.fromkeys(map(str, answers["annotator"].unique()), inputs.machine),
        renaming=renaming,
        progress=progress,
    )
    return ()


def _read_machine(
    folder: Path, stated: Stated, judged: Judgments, progress: Progress
) -> JudgmentsBesideMachine:
    table = read_table(folder / MACHINE, ("machine", "model"))
    if len(table) != 1:
        raise BundleError(f"{MACHINE} has {len(table)} rows instead of one")
    return beside_machine(
        judged,
        read_judgments(folder / ANSWERS, progress),
        stated.analysis.columns,
        machine=int(whole_numbers(table["machine"], MACHINE)[0]),
        model=unguarded(table["model"].iloc[0]) or "",
    )


def _write_machine_if_any(
    folder: Path, inputs: JudgmentsBesideMachine, renaming: Renaming, progress: Progress
) -> tuple[StatedMetric, ...]:
    return _write_machine(folder, inputs, renaming, progress) if inputs.machine else ()


def _read_machine_if_any(
    folder: Path, stated: Stated, judged: Judgments, progress: Progress
) -> JudgmentsBesideMachine:
    if (folder / MACHINE).exists():
        return _read_machine(folder, stated, judged, progress)
    return beside_none(judged)


def _write_machines(
    folder: Path, inputs: JudgedByMachines, renaming: Renaming, progress: Progress
) -> tuple[StatedMetric, ...]:
    write_machines(folder, inputs, renaming, progress)
    return write_scores(folder, inputs, renaming.systems, progress)


def _read_machines(folder: Path, stated: Stated, judged: Judgments, progress: Progress) -> JudgedByMachines:
    return read_machines(folder, _read_scores(folder, stated, judged, progress), progress)


def _write_edits(
    folder: Path, inputs: EditsBesideReferences, renaming: Renaming, progress: Progress
) -> tuple[StatedMetric, ...]:
    write_edits(folder, inputs, renaming, progress)
    return ()


MEANINGS_OF_SCORES = {
    SENTENCES: "the sentences of the corpus by number, with their domains.",
    SCORES: "the score of each system by each metric, in each sentence and over all of them.",
    SCORE_DIGESTS: "the first digits of the SHA-256 of each score.",
    STATISTICS: "the statistics of each output that metrics compute their scores from.",
}

MEANINGS_OF_A_MACHINE = {
    MACHINE: "the machine that judged beside people: its number, and what it is.",
    ANSWERS: "what the machine answered, in the format of the judgments.",
}

OF_SCORES = FilesBeside(
    write=lambda folder, inputs, renaming, progress: write_scores(folder, inputs, renaming.systems, progress),
    read=_read_scores,
    needed=(SENTENCES, SCORES, STATISTICS),
    meanings=MEANINGS_OF_SCORES,
)

BESIDE_JUDGMENTS: dict[type[Inputs], FilesBeside] = {
    Judgments: FilesBeside(
        write=lambda folder, inputs, renaming, progress: (),
        read=lambda folder, stated, judged, progress: judged,
    ),
    JudgedTexts: FilesBeside(
        _write_texts,
        _read_texts,
        optional=(STYLE,),
        meanings={STYLE: "the style of each judged output: edits, words added, whether it is unchanged."},
    ),
    JudgmentsBesideMachine: FilesBeside(
        _write_machine,
        _read_machine,
        needed=(MACHINE, ANSWERS),
        meanings=MEANINGS_OF_A_MACHINE,
    ),
    WithMachineIfAsked: FilesBeside(
        _write_machine_if_any,
        _read_machine_if_any,
        optional=(MACHINE, ANSWERS),
        meanings=MEANINGS_OF_A_MACHINE,
    ),
    DocumentJudgments: _groups(DocumentJudgments, "document"),
    DomainJudgments: _groups(DomainJudgments, "domain"),
    ScoredJudgments: OF_SCORES,
    ScoresBesideEdits: replace(OF_SCORES, read=_read_scores_beside_edits),
    EditsBesideReferences: FilesBeside(
        _write_edits,
        lambda folder, stated, judged, progress: read_edits(folder, judged, progress),
        needed=(MADE_EDITS, MATCHES, PRODUCED),
        meanings={
            MADE_EDITS: "the place and type of each edit of an output, without its words, and whether a "
            "reference has it.",
            MATCHES: "how many edits each output shares with each reference.",
            PRODUCED: "the output of each system in each sentence.",
        },
    ),
    JudgedByMachines: FilesBeside(
        _write_machines,
        _read_machines,
        needed=(SENTENCES, SCORES, STATISTICS, MACHINES, MACHINE_JUDGMENTS),
        optional=(LOOKS, FAMILIES),
        meanings=MEANINGS_OF_SCORES
        | {
            MACHINES: "the machines that judged, by number, with their models.",
            MACHINE_JUDGMENTS: "the judgments of machines, as those of annotators, of the same sentences.",
            FAMILIES: "the systems that are of one family with a machine.",
            LOOKS: "the number of characters and edits of each output, and which outputs are the same text.",
        },
    ),
}
