"""Tests of which `make test` runs a part, another one for each commit; `make test-deep` runs all of them.

They take half of the time of all tests, and show what a change to one place seldom breaks: figures of
papers, simulated campaigns, and walks through pages and parts that other tests look at one by one.
What annotators use is always tested.
"""

import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

PARTS = 4

ROOT = Path(__file__).parent

ROTATING = (
    # Figures of papers and of peers
    "analysis/judgment_sets/",
    "analysis/reproduction/",
    "dev/tools/test_table_of_reproduction.py",
    "metrics/",
    # Analyses of metrics and references, on their pages and in their files
    "analysis/metrics/",
    "analysis/references/",
    # Simulations
    "ranking/judgments/test_one_sample.py",
    "ranking/judgments/test_propensities.py",
    "ranking/machines/",
    "ranking/planning/",
    "ranking/uncertainty/",
    # Pages of admins and researchers in the browser
    "browser/test_answers_pages.py",
    "browser/test_campaign_pages.py",
    "browser/test_crowd_pages.py",
    "browser/test_edit_types.py",
    "browser/test_every_page.py",
    "browser/test_jobs.py",
    "browser/test_layout_shifts.py",
    "browser/test_learned_pages.py",
    "browser/test_metrics_page.py",
    "browser/test_people_pages.py",
    "browser/test_program_pages.py",
    "browser/test_published_pages.py",
    "browser/test_quality_pages.py",
    "browser/test_ranking_page.py",
    "browser/test_reference_pages.py",
    "browser/test_score_pages.py",
    "browser/test_styleguide.py",
    "browser/test_synthetic_systems_page.py",
    # Walks through everything
    "analysis/publishing/test_leaderboards.py",
    "analysis/publishing/test_published_analyses.py",
    "analysis/publishing/test_publishing_faults.py",
    "analysis/test_every_analysis.py",
    "analysis/test_one_domain.py",
    "analysis/test_people_and_machines.py",
    "annotate/api/test_any_request.py",
    "annotate/test_toy_protocols.py",
    "dev/benchmarks/test_pages.py",
    "figures/",
)
"""Files and folders below `tests/`."""


def part_of_the_commit() -> int:
    """The number of the part whose turn it is, from 0; always the first outside a repository."""
    git = shutil.which("git")
    if not git:
        return 0
    asked = subprocess.run([git, "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return int(asked.stdout or "0", base=16) % PARTS


def whose_turn_it_is(items: Iterable[pytest.Item], part: int) -> Iterator[pytest.Item]:
    """The tests that do not rotate, and every fourth of those that do, in the order of the tests' names."""
    rotating = sorted(item.nodeid for item in items if _rotates(item.path))
    others = {name for place, name in enumerate(rotating) if place % PARTS != part}
    return (item for item in items if item.nodeid not in others)


def _rotates(path: Path) -> bool:
    below = path.relative_to(ROOT).as_posix()
    return below.startswith(ROTATING)
