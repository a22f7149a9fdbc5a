"""The table of columns in the documentation is that of the schema."""

from dev.tools.table_of_columns import DOCUMENT, TABLE, table
from formats.snapshot.judgment_columns import COLUMNS


def test_the_documentation_has_the_columns_of_the_schema() -> None:
    found = TABLE.search(DOCUMENT.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == table(COLUMNS), "run `python -m dev.tools.table_of_columns`"
