import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from annotate.models import AuditEntry, Role, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADMIN_PASSWORD", "correct horse")


def test_it_makes_an_admin_who_can_log_in(password: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("create_admin", "ada")
    user = User.objects.get()
    assert (user.role, user.check_password("correct horse")) == (Role.ADMIN, True)
    assert "Created the admin 'ada'" in capsys.readouterr().out
    assert AuditEntry.objects.get().action == "create-account"


@pytest.mark.any_database
def test_without_tables_it_says_what_to_run(tmp_path: Path) -> None:
    empty = f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    ended = subprocess.run(
        [sys.executable, "manage.py", "create_admin", "ada"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": empty, "ADMIN_PASSWORD": "correct horse"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert "manage.py migrate" in ended.stderr


def test_a_taken_name_says_what_to_do(password: None) -> None:
    User.objects.create_user("ada")
    with pytest.raises(CommandError, match=r"Choose another name.* changepassword ada"):
        call_command("create_admin", "ada")


@pytest.mark.parametrize(
    ("name", "weak", "words"),
    [
        ("ada", "12345678", "entirely numeric"),
        ("adalovelace", "adalovelace", "similar"),
        ("a b", "correct horse", "valid"),
    ],
)
def test_a_weak_password_or_wrong_name_makes_nothing(
    monkeypatch: pytest.MonkeyPatch, name: str, weak: str, words: str
) -> None:
    monkeypatch.setenv("ADMIN_PASSWORD", weak)
    with pytest.raises(CommandError, match=words):
        call_command("create_admin", name)
    assert not User.objects.exists()


def test_it_asks_twice_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    answers = iter(["correct horse", "correct horse", "correct horse", "another"])
    monkeypatch.setattr("annotate.management.commands.create_admin.getpass", lambda prompt: next(answers))
    call_command("create_admin", "ada", verbosity=0)
    with pytest.raises(CommandError, match="differ"):
        call_command("create_admin", "eve")
    assert User.objects.get().check_password("correct horse")


def test_without_a_terminal_it_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)
    with pytest.raises(CommandError, match="set ADMIN_PASSWORD"):
        call_command("create_admin", "ada")
