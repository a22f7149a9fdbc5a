"""Writes the tables of `docs/reproduction.md` from the results of `reproduce`.

`python -m dev.tools.table_of_reproduction FOLDER`, where FOLDER has `gjg15.json` with the output of
`manage.py reproduce gjg15 --json`, and so on for each paper. Tests fail until tables that were added stand
there with as many figures as they have.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from analysis.reproduction.contents import CONTENTS, Item

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "reproduction.md"
TABLES = re.compile(r"(?<=<!-- made by dev\.tools\.table_of_reproduction -->\n\n).*", re.DOTALL)

WORDS = {"agrees": "agree", "known": "known", "differs": "differ", "cannot": "not compared"}
"""What a number of figures with each verdict is called; `known` deviations have a cause."""

Verdicts = Mapping[str, Mapping[str, Counter[str]]]
"""How many figures have each verdict, by command and table."""


def verdicts_of(folder: Path) -> dict[str, dict[str, Counter[str]]]:
    """Read the results of all commands."""
    return {
        path.stem: {
            table: Counter(cell["verdict"] for cell in cells.values())
            for table, cells in json.loads(path.read_text(encoding="utf-8"))["tables"].items()
        }
        for path in sorted(folder.glob("*.json"))
    }


def document(verdicts: Verdicts) -> str:
    """The tables of all papers, each under its heading."""
    return "\n".join(line for title, items in CONTENTS.items() for line in _lines(title, items, verdicts))


def row(item: Item, verdicts: Verdicts) -> str:
    """The row of a table or figure."""
    counts = Counter[str]()
    for table in item.tables:
        counts += verdicts[item.command][table]
    numbers = ", ".join(f"{counts[name]} {word}" for name, word in WORDS.items() if counts[name])
    tables = " ".join(f'"{table}"' if " " in table else table for table in item.tables)
    command = f"`reproduce {item.command} --tables {tables}`" if item.command else ""
    return f"| {item.name} | {item.about} | {_verdict(counts)} | {numbers} | {command} | {item.cannot} |"


def _lines(title: str, items: tuple[Item, ...], verdicts: Verdicts) -> Iterator[str]:
    yield from (f"## {title}", "")
    yield "| in the paper | about | verdict | figures | command | what cannot be compared |"
    yield "|---|---|---|---|---|---|"
    yield from (row(item, verdicts) for item in items)
    yield ""


def _verdict(counts: Counter[str]) -> str:
    """Figures that differ without a known cause count most, then those that agree or have a cause."""
    if counts["differs"]:
        return "**differs**"
    return "agrees" if counts["agrees"] + counts["known"] else "cannot"


def main() -> None:
    """Replace the tables in the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    made = document(verdicts_of(Path(sys.argv[1])))
    DOCUMENT.write_text(TABLES.sub(lambda found: made, text), encoding="utf-8")


if __name__ == "__main__":
    main()
