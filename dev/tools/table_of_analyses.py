"""Writes the table of analyses in `docs/analyses.md` from their registry.

`python -m dev.tools.table_of_analyses` after an analysis was added or changed; a test fails until then.
"""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import django

from analysis.analyses.base import AnyAnalysis, Group, analyses

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "analyses.md"
TABLE = re.compile(r"(?<=<!-- made by dev\.tools\.table_of_analyses -->\n\n).*?(?=\n\n)", re.DOTALL)


def table(listed: Iterable[AnyAnalysis]) -> str:
    """The table of these analyses, by group and name."""
    groups = list(Group)
    return "\n".join(_lines(sorted(listed, key=lambda each: (groups.index(each.group), each.name))))


def _lines(listed: Iterable[AnyAnalysis]) -> Iterator[str]:
    from analysis.runs.sources import source_of  # Needs Django to be set up.

    yield "| analysis | about | question | of a | computes | tables and figures | published |"
    yield "|---|---|---|---|---|---|---|"
    for analysis in listed:
        subject = source_of(analysis).subject._meta.verbose_name
        defined = f" ([definition]({analysis.defined_in}))" if analysis.defined_in else ""
        parts = ", ".join(f"`{part}`" for part in dict.fromkeys(part for part, _ in analysis.parts()))
        helps = f"{analysis.help[:1].lower()}{analysis.help[1:].rstrip('.')}"
        published = "yes" if analysis.is_publishable else "no"
        asked = f"{analysis.group} | {analysis.question}"
        yield f"| `{analysis.name}` | {asked} | {subject} | {helps}{defined} | {parts} | {published} |"


def main() -> None:
    """Replace the table in the document."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(TABLE.sub(lambda found: table(analyses().values()), text), encoding="utf-8")


if __name__ == "__main__":
    main()
