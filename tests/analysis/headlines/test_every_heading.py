"""Every analysis has its headings here."""

from analysis.analyses.base import analyses
from tests.analysis.headlines import (
    test_headings_of_annotators,
    test_headings_of_metrics,
    test_headings_of_metrics_and_people,
    test_headings_of_planning,
    test_headings_of_references,
    test_headings_of_systems,
)

AREAS = (
    test_headings_of_annotators,
    test_headings_of_metrics,
    test_headings_of_metrics_and_people,
    test_headings_of_planning,
    test_headings_of_references,
    test_headings_of_systems,
)


def test_every_analysis_is_here() -> None:
    known = {name for name, each in analyses().items() if not each.parameters.__module__.startswith("tests.")}
    headed = {name for area in AREAS for name, *_ in area.HEADINGS}
    assert headed | {"ranking", "perfect-corrector", "oracle-reranking"} == known
