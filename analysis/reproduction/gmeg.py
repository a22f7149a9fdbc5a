"""The tables of GMEG (Napoles, Nădejde and Tetreault 2019, "Enabling Robust Grammatical Error Correction in
New Domains", TACL), of which those here need only its released mean scores and texts.
"""

from collections.abc import Sequence

from analysis.reproduction import gmeg_ensemble, gmeg_metrics, gmeg_texts
from analysis.reproduction.cells import OurFigures, Ours, Published, Table, compare
from analysis.reproduction.paper import Paper
from analysis.reproduction.public_data.gmeg_data import (
    NO_TEXTS,
    OUTPUTS,
    REFERENCES,
    Domain,
    Gmeg,
    printed_of,
)
from ranking import system_changes, system_means

RELEASED = 1e-9
"""Tolerance of the released system scores, which are printed with all digits."""

MEAN_SCORES, UNCHANGED = "6: mean human score", "6: % of sentences unchanged"
NOT_RELEASED = "its scores are not released"
FOUR = "mean of four references"


def released_scores(data: Gmeg) -> Table:
    """The mean of the released sentence scores and the released score of each system: equal to 1e-9."""
    splits = {"": data.development} | ({"test ": data.tested} if data.tested else {})
    cells = {}
    for name, domain in ((f"{of}{name}", each) for of in splits for name, each in splits[of].domains.items()):
        means = {mean.system: mean for mean in system_means(domain.snapshot)}
        for system, score in domain.published.items():
            mean = means.get(system)
            note = f"mean of {mean.sentences} sentences" if mean else "no sentence has a score of it"
            ours = Ours(mean.score if mean else None, note)
            cells[f"{name} {system}"] = Published(score, RELEASED, "released").cell(ours)
    return cells


def mean_scores(data: Gmeg) -> Table:
    """Table 6, cells such as "fce marian". It counts the sentences of both splits, as is the next."""
    splits = _splits(data)
    means = {
        name: [{each.system: each for each in system_means(split.snapshot)} for split in splits[name]]
        for name in splits
    }
    ours: OurFigures = {}
    published = printed_of(splits, MEAN_SCORES)
    for name in published:
        domain, system = name.split()
        found = [of_split[system] for of_split in means[domain] if system in of_split]
        parts = [(mean.score, mean.sentences) for mean in found if mean.score is not None]
        value, sentences = _together(parts)
        if value is None:
            ours[name] = Ours(None, cannot=NOT_RELEASED)
        elif data.tested is None:
            ours[name] = Ours(value, cannot=_half(sentences))
        else:
            ours[name] = Ours(value, f"mean of {sentences:,} sentences")
    return compare(published, ours)


def unchanged(data: Gmeg) -> Table:
    """Table 6: the percentage of sentences that a system leaves unchanged."""
    splits = _splits(data)
    changes = {
        name: [each for split in of_domain for each in system_changes(split.snapshot, "source")]
        for name, of_domain in splits.items()
        if all(split.has_texts for split in of_domain)
    }
    ours: OurFigures = {}
    published = printed_of(splits, UNCHANGED)
    for name in published:
        domain, system = name.split()
        systems = REFERENCES if system == "ref" else (system,)
        value, outputs = _together(
            [
                (100 * each.unchanged, each.sentences)
                for each in changes.get(domain, ())
                if each.system in systems and each.unchanged is not None
            ]
        )
        if value is None:
            ours[name] = Ours(None, cannot=NO_TEXTS)
        elif data.tested is None:
            half = _half(outputs // len(systems))
            ours[name] = Ours(value, cannot=f"{half}; {FOUR}" if system == "ref" else half)
        else:
            ours[name] = value
    return compare(published, ours)


def _splits(data: Gmeg) -> dict[str, list[Domain]]:
    tested = data.tested
    return {
        name: [domain, tested.domains[name]] if tested else [domain]
        for name, domain in data.development.domains.items()
    }


def _together(parts: Sequence[tuple[float, int]]) -> tuple[float | None, int]:
    """The mean of means weighted by their numbers, None if there is none, and the sum of these."""
    number = sum(count for _, count in parts)
    return (sum(mean * count for mean, count in parts) / number if number else None), number


def _half(sentences: int) -> str:
    return f"of {sentences} development sentences; the paper counts those of the test split too (--test)"


PAPER = Paper(
    data=Gmeg,
    tables={
        "released scores": released_scores,
        "3": gmeg_texts.table_3,
        "4": gmeg_texts.table_4,
        "figure 1": gmeg_texts.figure_1,
        MEAN_SCORES: mean_scores,
        UNCHANGED: unchanged,
        "8": gmeg_metrics.table_8,
        "figure 3": gmeg_metrics.figure_3,
        "ensemble": gmeg_ensemble.ensemble,
        "alpha": gmeg_ensemble.alpha,
        "ablation": gmeg_ensemble.ablation,
    },
    progress="Scoring outputs",
    steps={
        ("8", "figure 3", "ensemble", "alpha", "ablation"): OUTPUTS,
        ("ensemble",): gmeg_ensemble.SPLITS,
        ("alpha",): gmeg_ensemble.SPLITS,
        ("ablation",): gmeg_ensemble.FOLDS,
    },
    draw=gmeg_metrics.drawn_figure_3,
    splits=("train", "test"),
)
