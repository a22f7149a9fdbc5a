"""The tests that `make check` runs are those of what changed."""

import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from dev.tools.changed_tests import GUARDS, changed_files, selected


@pytest.mark.parametrize(
    ("changed", "found", "others"),
    [
        ("metrics/gleu.py", "tests/metrics/test_gleu.py", "tests/metrics/learned/test_saved.py"),
        ("tests/metrics/test_gleu.py", "tests/metrics/test_gleu.py", "tests/metrics/test_m2.py"),
        (
            "tests/metrics/registered.py",
            "tests/metrics/test_properties.py",
            "tests/metrics/learned/test_saved.py",
        ),
        (
            "analysis/analyses/systems/ranking.py",
            "tests/analysis/systems/test_ranking_page.py",
            "tests/analysis/test_api.py",
        ),
        (
            "analysis/pages/quality.py",
            "tests/analysis/annotators/test_quality_page.py",
            "tests/metrics/test_m2.py",
        ),
        (
            "annotate/management/commands/m2.py",
            "tests/annotate/commands/test_m2.py",
            "tests/annotate/test_names.py",
        ),
        (
            "annotate/design/protocols/validity.py",
            "tests/annotate/design/test_validity.py",
            "tests/metrics/test_m2.py",
        ),
        (
            "templates/annotate/judging/frame.html",
            "tests/annotate/judging/test_work.py",
            "tests/metrics/test_m2.py",
        ),
    ],
)
def test_tests_of_a_changed_file(changed: str, found: str, others: str) -> None:
    named = selected(settings.BASE_DIR, [changed])
    assert found in named
    assert others not in set(named).difference(GUARDS)
    assert all((settings.BASE_DIR / name).is_file() for name in named)


@pytest.mark.parametrize("changed", ["README.md", "docs/metrics.md", "Makefile", "static/js/screen.js"])
def test_other_files_need_the_guards_only(changed: str) -> None:
    assert selected(settings.BASE_DIR, [changed]) == [*GUARDS]


def test_changes_since_main_and_new_files_count(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)  # noqa: S607

    def commit(*names: str) -> None:
        for name in names:
            (tmp_path / name).write_text(name)
        git("add", "--all")
        git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--message", "x")

    git("init", "--initial-branch", "main")
    commit("on_main.py", "changed.py", "removed.py")
    git("checkout", "-b", "branch")
    commit("committed.py")
    (tmp_path / "changed.py").write_text("other")
    (tmp_path / "removed.py").unlink()
    (tmp_path / "new.py").write_text("new")
    assert changed_files(tmp_path) == ["changed.py", "committed.py", "new.py"]
