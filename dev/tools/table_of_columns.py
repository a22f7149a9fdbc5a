"""Writes the table of columns in `docs/exports.md` from the schema of a judgment.

`python -m dev.tools.table_of_columns` after a column was added or changed; a test fails until then.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from formats.snapshot.judgment_columns import COLUMNS, Column

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "exports.md"
TABLE = re.compile(r"(?<=<!-- made by dev\.tools\.table_of_columns -->\n\n).*?(?=\n\n)", re.DOTALL)


def table(columns: Mapping[str, Column]) -> str:
    """The table of these columns."""
    return "\n".join(_lines(columns))


def _lines(columns: Mapping[str, Column]) -> Iterator[str]:
    yield "| column | type | meaning | since version | also in |"
    yield "|---|---|---|---|---|"
    for name, column in columns.items():
        kind = f"{column.kind.value}{', or none' if column.nullable else ''}"
        also_in = ", ".join((*(["snapshot"] if column.dtype else []), *column.also_in))
        yield f"| `{name}` | {kind} | {column.meaning} | {column.since} | {also_in} |"


def main() -> None:
    """Replace the table in the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(TABLE.sub(lambda found: table(COLUMNS), text), encoding="utf-8")


if __name__ == "__main__":
    main()
