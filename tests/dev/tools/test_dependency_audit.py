"""The audit of dependencies tells vulnerable packages from those that could not be looked up."""

import subprocess
from typing import Any

import pytest

from dev.tools import dependency_audit

SAFE = {"name": "django", "version": "5.2.19", "vulns": []}
UNKNOWN = {"name": "celery", "skip_reason": "not found"}
BAD = {"name": "pyyaml", "version": "5.1", "vulns": [{"id": "CVE-2020-1747", "fix_versions": ["5.3.1"]}]}


def audit(monkeypatch: pytest.MonkeyPatch, *packages: dict[str, Any]) -> None:
    monkeypatch.setattr(dependency_audit, "_report", lambda: {"dependencies": [*packages]})
    dependency_audit.main()


def test_it_names_the_audited_packages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    audit(monkeypatch, SAFE, UNKNOWN)
    assert capsys.readouterr().out == "Audited 1 dependencies: 0 known vulnerabilities.\n"


def test_a_vulnerable_package_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match=r"pyyaml 5.1: CVE-2020-1747, fixed in 5.3.1"):
        audit(monkeypatch, SAFE, BAD)


def test_without_a_connection_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    audit(monkeypatch, UNKNOWN)
    assert "were not audited" in capsys.readouterr().out

    def hang() -> None:
        raise subprocess.TimeoutExpired("pip-audit", 1)

    monkeypatch.setattr(dependency_audit, "_report", hang)
    dependency_audit.main()
    assert "were not audited" in capsys.readouterr().out
