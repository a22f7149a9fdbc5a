"""Writes the tables of analyses in `docs/analyses.md` from their registry.

`python -m dev.tools.table_of_analyses` after an analysis was added or changed; a test fails until then.
"""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import django

from analysis.analyses.base import AnyAnalysis, Group, analyses

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "analyses.md"
TABLES = re.compile(r"(?<=<!-- made by dev\.tools\.table_of_analyses -->\n\n).*?(?=\n\n[^|])", re.DOTALL)

MOST_PARTS = 4
"""Tables and figures that a row names; of more, it counts the others."""


def tables(listed: Iterable[AnyAnalysis]) -> str:
    """What these analyses ask, and what they compute, by group and name."""
    groups = list(Group)
    in_order = sorted(listed, key=lambda each: (groups.index(each.group), each.name))
    return "\n".join([*_questions(in_order), "", *_computed(in_order)])


def _questions(listed: Iterable[AnyAnalysis]) -> Iterator[str]:
    from analysis.runs.sources import source_of  # Needs Django to be set up.

    yield "| analysis | about | question | of a | published |"
    yield "|---|---|---|---|---|"
    for analysis in listed:
        subject = source_of(analysis).subject._meta.verbose_name
        question = (
            f"[{analysis.question}]({analysis.defined_in})" if analysis.defined_in else analysis.question
        )
        published = "yes" if analysis.is_publishable else "no"
        yield f"| `{analysis.name}` | {analysis.group} | {question} | {subject} | {published} |"


def _computed(listed: Iterable[AnyAnalysis]) -> Iterator[str]:
    yield "| analysis | computes | tables and figures |"
    yield "|---|---|---|"
    for analysis in listed:
        helps = f"{analysis.help[:1].lower()}{analysis.help[1:].rstrip('.')}"
        parts = list(dict.fromkeys(part for part, _ in analysis.parts()))
        named = ", ".join(f"`{part}`" for part in parts[:MOST_PARTS])
        others = f" and {len(parts) - MOST_PARTS} more" if len(parts) > MOST_PARTS else ""
        yield f"| `{analysis.name}` | {helps} | {named}{others} |"


def main() -> None:
    """Replace the tables in the document."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(TABLES.sub(lambda found: tables(analyses().values()), text), encoding="utf-8")


if __name__ == "__main__":
    main()
