"""The table of analyses in the documentation is that of the registry."""

from analysis.analyses.base import analyses
from dev.tools.table_of_analyses import DOCUMENT, TABLES, tables


def test_the_documentation_has_the_analyses_of_the_registry() -> None:
    ours = [each for each in analyses().values() if not each.parameters.__module__.startswith("tests.")]
    found = TABLES.search(DOCUMENT.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == tables(ours), "run `python -m dev.tools.table_of_analyses`"
