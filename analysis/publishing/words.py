"""A methods paragraph and a data sheet, whose every number comes from the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from analysis.publishing.inputs.files_beside_judgments import files_beside
from analysis.publishing.stated import Stated
from assay import __version__
from core.later import pd
from core.wording import listed
from formats.snapshot.vocabulary import Opinion
from ranking import holds_scores
from ranking.judgments.snapshot import system_names

OF_JUDGMENTS = {
    "judgments.csv": "every rating, in the format of exports. Annotators are numbers; times of day, notes "
    "and texts that annotators wrote are left out. Outputs are digests, not texts.",
    "judgments.sha256": "the first digits of the SHA-256 of the lines of each judgment.",
}
OF_ALL_ELSE = {
    "parameters.json": "the analysis with its parameters, roles of systems, and signatures of metrics.",
    "manifest.sha256": "the SHA-256 of every other file; `sha256sum -c manifest.sha256` checks them.",
}
"""Descriptions of the files of every bundle, apart from tables and figures."""

COLUMNS_OF_FACTS = ("judgment", "annotator", "sentence", "output", "systems", "rank", "score", "opinion")
"""Columns of the judgments that `facts_of` reads."""


BESIDE_SYSTEMS = {
    "source": "Unchanged texts judged like a system",
    "reference": "References judged like a system",
    "control": "Controls judged like a system",
}
"""Facts about what does not count as a system, by its role."""

SHOWN, SEEN = "Screens after which a machine's answer was shown", "Screens answered after seeing it"


def facts_of(frame: pd.DataFrame, stated: Stated) -> list[tuple[str, str]]:
    """Facts about the data: a name and a figure each."""
    is_rated = frame["output"].notna()
    outputs = frame.loc[is_rated, "judgment"].value_counts(sort=False)
    outputs = outputs[outputs > 0]
    judgments = frame["judgment"].nunique()
    single = 0 if holds_scores(frame) else int((outputs == 1).sum())
    names = system_names(frame)
    beside = Counter(role for name in names if (role := stated.roles.get(name)) in BESIDE_SYSTEMS)
    facts = [
        ("Systems judged", len(names) - beside.total()),
        *((called, beside[role]) for role, called in BESIDE_SYSTEMS.items()),
        ("Sentences judged", frame.loc[is_rated, "sentence"].nunique()),
        ("Annotators", frame["annotator"].nunique()),
        ("Judgments", judgments),
        ("Screens judged", len(outputs) - single),
        ("Screens with a single output, which need no judgment", single),
        ("Screens skipped", judgments - len(outputs)),
        ("Ratings of outputs", int(is_rated.sum())),
        (SHOWN, _screens(frame, Opinion.SHOWN_AFTER)),
        (SEEN, _screens(frame, Opinion.SHOWN_BEFORE)),
        ("Metrics", len(stated.metrics)),
        ("Systems left out", stated.left_out_systems),
        ("Annotators left out", stated.left_out_annotators),
    ]
    return [(name, f"{number:,}") for name, number in facts if number]


def _screens(frame: pd.DataFrame, opinion: Opinion) -> int:
    return int(frame.loc[frame["opinion"] == opinion.value, "judgment"].nunique())


def methods_paragraph(sentences: Sequence[str], facts: Sequence[tuple[str, str]], signature: str) -> str:
    """How a result was computed, for a paper; `sentences` are those of the analysis."""
    figures = dict(facts)
    judged = (
        f"{_counted(figures.get('Annotators', '0'), 'annotator')} judged "
        f"{_counted(figures.get('Screens judged', '0'), 'screen')} with outputs of "
        f"{_outputs_of(figures)} for "
        f"{_counted(figures.get('Sentences judged', '0'), 'sentence')}."
    )
    opinions = ""
    if {SHOWN, SEEN} & figures.keys():
        opinions = (
            f"After {figures.get(SHOWN, '0')} of the answers, annotators were shown the answer of a program; "
            f"{figures.get(SEEN, '0')} further answers were given or changed after they had seen it."
        )
    computed = f"Computed by Assay {__version__}; signature {signature}."
    return " ".join(filter(None, [judged, *sentences, opinions, computed])) + "\n"


def _outputs_of(figures: Mapping[str, str]) -> str:
    """What the judged outputs are of, such as "12 systems and the unchanged text"."""
    source, references, controls = (figures.get(called) for called in BESIDE_SYSTEMS.values())
    judged = [
        _counted(figures.get("Systems judged", "0"), "system"),
        "the unchanged text" if source else "",
        _counted(references, "reference") if references else "",
        _counted(controls, "control") if controls else "",
    ]
    return listed(list(filter(None, judged)))


def _counted(number: str, noun: str) -> str:
    return f"{number} {noun}" if number == "1" else f"{number} {noun}s"


def data_sheet(
    stated: Stated,
    facts: Sequence[tuple[str, str]],
    signatures: Mapping[str, str],
    files: Sequence[str],
) -> str:
    """The data sheet: facts about the data, and a list of files.

    Args:
        stated: what the bundle states.
        facts: of `facts_of`.
        signatures: of the results, by what they are of.
        files: the names of the files in the bundle.
    """
    meanings = {**OF_JUDGMENTS, **files_beside(stated.analysis.inputs).meanings, **OF_ALL_ELSE}
    lines = [
        f"# {stated.title}",
        "",
        f"{stated.analysis.title}.",
        "",
        *(f"- {name}: {figure}" for name, figure in facts),
        *(f"- Signature of {of}: `{signature}`" for of, signature in signatures.items()),
        *(
            f"- Signature of the scores by {metric.name}: `{metric.signature or 'not known'}`"
            for metric in stated.metrics
        ),
        "",
        "## Files",
        "",
        *(f"- `{name}`: {meaning}" for name, meaning in meanings.items() if name in files),
        "- `tables/`: every table as CSV, with all decimals, and as LaTeX.",
        "- `figures/`: every figure as SVG and PDF.",
        "- `methods.txt`: how the result was computed, for a paper.",
        "",
        "`manage.py verify` of Assay computes all of it again, and names what differs.",
        "",
    ]
    return "\n".join(lines)
