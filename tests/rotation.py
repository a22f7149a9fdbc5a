"""Tests of which `make test` runs a part, another one for each commit; `make test-deep` runs all of them.

They take two thirds of the time of all tests, and show what a change to one place seldom breaks: figures of
papers, simulated campaigns, results of analyses, and walks through pages and parts that other tests look at
one by one. What annotators do is always tested, and so is what their screens have in common; the screens of
single protocols, the costs of requests and pages in other languages take turns.
"""

import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

PARTS = 8

ROOT = Path(__file__).parent

ROTATING = (
    # Figures of papers and of peers
    "analysis/judgment_sets/",
    "analysis/reproduction/",
    "dev/tools/test_table_of_reproduction.py",
    "metrics/",
    # Analyses and what is published of them: their pages and their files
    "analysis/annotators/",
    "analysis/metrics/",
    "analysis/planning/",
    "analysis/publishing/",
    "analysis/references/",
    "analysis/releases/",
    "analysis/systems/",
    "analysis/test_answers_command.py",
    "analysis/test_answers_page.py",
    "analysis/test_answers_report.py",
    "analysis/test_judgments_in_pieces.py",
    "analysis/test_judgments_of_pairs.py",
    "analysis/test_one_scale.py",
    "analysis/test_panels.py",
    "analysis/test_rules.py",
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
    # Annotators' screens of single protocols
    "browser/test_correction_screen.py",
    "browser/test_edits_screen.py",
    "browser/test_error_spans_screen.py",
    "browser/test_essay_screen.py",
    "browser/test_pairs_screen.py",
    "browser/test_scalar_screen.py",
    "browser/test_scales_screen.py",
    "browser/test_toy_screens.py",
    "browser/test_validity_screen.py",
    # Annotators' pages in other languages
    "annotate/judging/test_every_text_is_translated.py",
    "browser/test_other_languages.py",
    "browser/test_translated_pages.py",
    # Costs of annotators' requests, and opinions of machines beside them
    "annotate/judging/test_handout_cost.py",
    "annotate/judging/test_opinions.py",
    "annotate/judging/test_work_cost.py",
    # Walks through everything
    "analysis/test_every_analysis.py",
    "analysis/test_one_domain.py",
    "analysis/test_people_and_machines.py",
    "annotate/api/test_any_request.py",
    "annotate/campaigns/test_newcomer_follow_ups.py",
    "annotate/commands/test_load_demo.py",
    "annotate/commands/test_reference_data.py",
    "annotate/toy_protocols/",
    "dev/benchmarks/test_pages.py",
    "figures/",
)
"""Files and folders below `tests/`."""

ON_EACH_DATABASE = (
    "annotate/accounts/",
    "annotate/database/",
    "annotate/judging/",
    "annotate/models/",
    "annotate/submissions/",
    "jobs/",
    "operation/",
    "upgrade/",
)
"""What each commit runs on a second database too, beside tests of several threads or processes: hand-out,
answers, jobs, constraints, and all that handles the database itself. Of the rest, each commit runs a part."""


def part_of_the_commit() -> int:
    """The number of the part whose turn it is, from 0; always the first outside a repository."""
    git = shutil.which("git")
    if not git:
        return 0
    asked = subprocess.run([git, "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return int(asked.stdout or "0", base=16) % PARTS


def whose_turn_it_is(
    items: Iterable[pytest.Item], part: int, *, on_a_second_database: bool = False
) -> Iterator[pytest.Item]:
    """The tests that do not rotate, and a part of those that do."""
    every = [(item, _group(item) if _rotates(item, on_a_second_database) else None) for item in items]
    part_of = _parts(Counter(group for _, group in every if group))
    return (item for item, group in every if group is None or part_of[group] == part)


def _parts(groups: Counter[tuple[str, ...]]) -> dict[tuple[str, ...], int]:
    """The part of each group of tests, by the number of its tests: all parts have about as many."""
    tests = [0] * PARTS
    parts = {}
    for group, size in sorted(groups.items(), key=lambda each: (-each[1], each[0])):
        parts[group] = tests.index(min(tests))
        tests[parts[group]] += size
    return parts


def _group(item: pytest.Item) -> tuple[str, ...]:
    """What the tests have in common that have their turn together: what is made once for all of them.

    Most tests share nothing of the kind, and have their turn alone.
    """
    made_once = [
        name
        for name, definitions in sorted(_fixtures(item).items())
        if definitions[-1].baseid and definitions[-1].scope in ("module", "class")
    ]
    if not made_once:
        return (item.nodeid,)
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    return (item.path.as_posix(), *(str(parameters[name]) for name in made_once if name in parameters))


def _fixtures(item: pytest.Item) -> dict[str, Sequence[pytest.FixtureDef[object]]]:
    """The fixtures of the test by name, those of plugins too."""
    information = getattr(item, "_fixtureinfo", None)
    return information.name2fixturedefs if information else {}


def _rotates(item: pytest.Item, on_a_second_database: bool) -> bool:
    below = item.path.relative_to(ROOT).as_posix()
    if on_a_second_database and not below.startswith(ON_EACH_DATABASE) and not _commits(item):
        return True
    return below.startswith(ROTATING)


def _commits(item: pytest.Item) -> bool:
    """Whether the test is not one transaction, as its threads or processes see what it stores."""
    marker = item.get_closest_marker("django_db")
    fixtures = getattr(item, "fixturenames", ())
    return "transactional_db" in fixtures or bool(marker and marker.kwargs.get("transaction"))
