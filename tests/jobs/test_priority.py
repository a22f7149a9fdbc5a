"""Jobs run at a lower priority than pages."""

import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import execute_from_command_line

from annotate.management import import_command
from jobs.priority import NICENESS


def niceness(program: str) -> int:
    """The niceness of a process after this program."""
    program += "\nimport os; print(os.getpriority(os.PRIO_PROCESS, 0))"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=settings.BASE_DIR, capture_output=True, text=True, check=True
    )
    return int(run.stdout)


def test_the_priority_is_lowered_once_and_never_raised() -> None:
    before = niceness("")
    lowered = niceness("from jobs.priority import give_way; give_way(); give_way()")
    assert lowered == max(before, NICENESS)
    assert niceness("import os; os.nice(40)\nfrom jobs.priority import give_way; give_way()") == 19


def test_an_import_by_command_gives_way(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[str] = []
    monkeypatch.setattr(import_command, "give_way", lambda: calls.append("gave way"))
    with pytest.raises(SystemExit):
        execute_from_command_line(["manage.py", "import_corpus", "--help"])
    assert calls == ["gave way"]
