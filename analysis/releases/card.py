"""The README of a release: a Hugging Face data set card, which also says how to recompute the ranking."""

from collections.abc import Iterator, Sequence

from analysis.releases import wording
from analysis.releases.about import About
from analysis.releases.citation import bibtex, keywords_of, yaml_text
from analysis.releases.facts import Facts
from analysis.releases.options import REVEALED_BY_DRAWS, Options
from analysis.releases.tables import JUDGMENTS, MANIFEST, Type, WrittenTable
from analysis.releases.version_changes import CHANGES, NUMBERS
from core.wording import listed

SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)
MORE = "10M<n<100M"

READ = 'rows = pd.read_parquet("data/judgments.parquet")\n'
SELECTED = 'rows = rows[rows["campaign"] == {!r}]\n'
RECIPE = f"""\
import pandas as pd

{READ}\
roles = pd.read_parquet("data/systems.parquet").set_index("system")["role"]

# Answers that count, with a row for each system: systems with equal outputs were judged together.
rows = rows[(rows["state"] != "surplus") & rows["output"].notna()].explode("systems")
rows = rows[rows["systems"].map(roles) != "control"]
rows["value"] = -rows["rank"] if rows["rank"].notna().any() else rows["score"]

# ExpectedWins: the mean, over the other systems, of the share of decided comparisons that a system won.
pairs = rows.merge(rows, on="judgment", suffixes=("", "_other"))
won = pairs[pairs["value"] > pairs["value_other"]]
wins = pd.crosstab(won["systems"], won["systems_other"])
names = sorted(rows["systems"].unique())
wins = wins.reindex(index=names, columns=names, fill_value=0)
decided = wins + wins.T
ranking = (wins / decided.where(decided > 0)).mean(axis=1).sort_values(ascending=False)
"""
SHARED = (
    " Campaigns share the tables: the column `campaign` names the campaign of a judgment, and items are "
    "numbered in each campaign."
)


def readme(about: About, facts: Facts, tables: Sequence[WrittenTable], changes: str, options: Options) -> str:
    """The file README.md; `changes` says what has changed since the last version, or is empty."""
    authors = ", ".join(each.in_full for each in about.authors)
    parts = [
        f"---\n{_front_matter(about, facts, tables)}---\n",
        f"# {about.title}\n",
        f"Version {about.version}, {about.date.isoformat()}. {authors}.\n",
        f"{about.description}\n",
        f"{wording.summary(facts)}\n",
        *([f"## What has changed\n\n{changes}\n"] if changes else []),
        *(part for each in facts.each for part in _judged(each, facts)),
        f"## Files\n\n{_files(facts, tables, options)}\n",
        *(f"### {written.table.name}\n\n{_columns(written)}\n" for written in tables),
        f"## People\n\n{wording.privacy(about)}{f' {REVEALED_BY_DRAWS}' if options.with_secret else ''}\n",
        f"## Licences\n\n{wording.licences(about)}\n",
        f"## Citation\n\n```bibtex\n{bibtex(about)}\n```\n",
        *([f"Errors: {about.contact}\n"] if about.contact else []),
    ]
    return "\n".join(parts)


def _front_matter(about: About, facts: Facts, tables: Sequence[WrittenTable]) -> str:
    creators = (
        ["machine-generated"] if facts.is_synthetic else ["crowdsourced" if facts.platform else "other"]
    )
    has_machines = facts.machine_judgments or any(each.is_synthetic for each in facts.each)
    if has_machines and not facts.is_synthetic:
        creators.append("machine-generated")
    rows = sum(written.rows for written in tables)
    size = next((name for limit, name in SIZES if rows < limit), MORE)
    is_one = about.licence.is_known and (
        about.leaves_out_texts or about.text_licence is None or about.text_licence == about.licence
    )
    licence = (
        [f"license: {about.licence.name.lower()}"]
        if is_one
        else ["license: other", f"license_name: {yaml_text(_names(about))}", "license_link: LICENSE.md"]
    )
    language = facts.language.partition("-")[0].lower()
    lines = [
        f"pretty_name: {yaml_text(about.title)}",
        *(["language:", f"- {language}"] if language else []),
        *licence,
        "annotations_creators:",
        *(f"- {each}" for each in creators),
        *(["multilinguality:", "- monolingual"] if language else []),
        "size_categories:",
        f"- {size}",
        "tags:",
        *(f"- {yaml_text(each.replace(' ', '-'))}" for each in keywords_of(about)),
        "configs:",
    ]
    # The first configuration is the one that is shown.
    for written in sorted(tables, key=lambda each: each.table is not JUDGMENTS):
        lines += [
            f"- config_name: {written.table.name}",
            "  data_files:",
            "  - split: train",
            f"    path: {written.parquet.path}",
        ]
    lines.append("dataset_info:")
    for written in tables:
        lines += [f"- config_name: {written.table.name}", "  features:"]
        for column in written.table.columns:
            lines.append(f"  - name: {column.name}")
            if column.type is Type.TEXTS:
                lines += ["    list: string"]
            else:
                dtype = "string" if column.type is Type.JSON else column.type.value[0]
                lines.append(f"    dtype: {yaml_text(dtype) if '[' in dtype else dtype}")
        lines += [
            "  splits:",
            "  - name: train",
            f"    num_bytes: {written.parquet.size}",
            f"    num_examples: {written.rows}",
        ]
    return "\n".join(lines) + "\n"


def _names(about: About) -> str:
    own, texts = about.licence.name, about.text_licence
    return own if texts is None or about.leaves_out_texts else f"{own}, texts: {texts.name}"


def _judged(facts: Facts, of_all: Facts) -> Iterator[str]:
    """How a campaign was judged, and its ranking."""
    of = f" in {facts.campaign}" if of_all.campaigns else ""
    yield (
        f"## How it was judged{of}\n\n{wording.protocol(facts)} {wording.timeframe(facts)}\n\n"
        f"Judgments of people: {wording.states(facts)}. {wording.checks(facts)}\n"
    )
    if facts.agreement:
        yield f"Agreement: {wording.agreement(facts)}\n"
    yield from _ranking(facts, of, SELECTED.format(facts.campaign) if of else "")


def _ranking(facts: Facts, of: str, selected: str) -> list[str]:
    if not facts.ranking:
        return []
    rows = [
        f"| {place} | {name} | {'–' if score is None else f'{score:.4f}'} |"
        for place, (name, score) in enumerate(facts.ranking.items(), start=1)
    ]
    weights = (
        "Comparisons count alike, whatever the column `propensities` says.\n\n" if facts.is_weighted else ""
    )
    return [
        f"## Ranking{of}\n\nExpectedWins of the systems, without controls: the probability that a system is "
        f"judged better than a random other one.\n\n{weights}|  | system | ExpectedWins |\n|---|---|---|\n"
        + "\n".join(rows)
        + "\n\nTo recompute it with pandas in this folder:\n\n```python\n"
        + RECIPE.replace(READ, f"{READ}{selected}")
        + "```\n"
    ]


def _files(facts: Facts, tables: Sequence[WrittenTable], options: Options) -> str:
    rows = [
        f"| `data/{written.table.name}` | {written.rows:,} | {written.table.content} |" for written in tables
    ]
    others = (
        ("croissant.json", "this description for programs (Croissant with responsible-AI fields)"),
        ("datasheet.md", "questions about the data and their answers"),
        ("design.json", "protocol and design" + (", with the secret" if options.with_secret else "")),
        *(
            [("guidelines.md", "what annotators were told, with the practice items")]
            if facts.has_guidelines
            else []
        ),
        *([("layouts/", f"the data as {listed(list(options.layouts))} read it")] if options.layouts else []),
        (NUMBERS, "numbers by which versions are compared"),
        (CHANGES, "what has changed from version to version"),
        ("LICENSE.md, CITATION.cff, .zenodo.json", "licences, how to cite, the entry for Zenodo"),
        (MANIFEST, f"the SHA-256 of every other file: `sha256sum -c {MANIFEST}`"),
    )
    return "\n".join(
        [
            "Each table is there as Parquet and as JSON Lines, with the same columns."
            + (SHARED if facts.campaigns else "")
            + "\n",
            "| file | rows | content |",
            "|---|---|---|",
            *rows,
            *(f"| `{name}` |  | {content} |" for name, content in others),
        ]
    )


def _columns(written: WrittenTable) -> str:
    table = written.table
    if table.columns is JUDGMENTS.columns and table is not JUDGMENTS:
        return f"{table.content} The columns are those of `{JUDGMENTS.name}`."
    rows = [f"| `{each.name}` | {each.type.name.lower()} | {each.meaning} |" for each in table.columns]
    return "\n".join([f"{table.content}\n", "| column | type | meaning |", "|---|---|---|", *rows])
