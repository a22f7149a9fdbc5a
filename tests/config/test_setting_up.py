"""`make` sets up the environment, and says what is missing, on machines that are not as it expects them."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

PIP = "#!/bin/sh\necho installing\n"
PYTHON = f"""#!/bin/sh
[ "$1" = -m ] || exit 0
mkdir -p .venv/bin
printf '{PIP.encode("unicode_escape").decode()}' > .venv/bin/pip
chmod +x .venv/bin/pip
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with what sets up the environment, and without an environment."""
    for name in ("Makefile", "requirements.txt"):
        shutil.copy(settings.BASE_DIR / name, tmp_path)
    return tmp_path


def executable(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script)
    path.chmod(0o755)
    return path


def set_up(project: Path, *variables: str, path: str = "") -> "subprocess.CompletedProcess[str]":
    make = shutil.which("make")
    assert make is not None
    return subprocess.run(
        [make, ".venv/runtime", *variables],
        cwd=project,
        env={"PATH": path or os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_environment_that_was_left_without_pip_is_made_anew(project: Path) -> None:
    """Debian's Python leaves one behind where the package python3.11-venv is missing."""
    python = executable(project / "python", PYTHON)
    executable(project / ".venv/bin/python", "")
    made = set_up(project, f"PYTHON={python}")
    assert made.returncode == 0, made.stderr
    assert "installing" in made.stdout


def test_without_python_it_says_which_one_it_needs(project: Path) -> None:
    """Nothing else is tried."""
    shells = project / "shells"
    shells.mkdir()
    for name in ("sh", "echo", "test"):
        (shells / name).symlink_to(str(shutil.which(name)))
    made = set_up(project, path=str(shells))
    assert made.returncode == 2
    assert "Assay needs Python 3.11" in made.stdout
    assert "-m venv" not in made.stdout


def free_port(port: int) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "config.free_port", "127.0.0.1", str(port)]
    return subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)


def test_a_port_that_is_taken_is_named_before_anything_else_is_done() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        taken = free_port(port)
        assert taken.returncode == 1
        assert f"http://127.0.0.1:{port}/ already" in taken.stderr
    assert free_port(port).returncode == 0


@pytest.mark.parametrize("target", ["demo", "run"])
def test_starting_looks_at_the_port_first(target: str) -> None:
    makefile = (settings.BASE_DIR / "Makefile").read_text()
    [_, recipe] = makefile.split(f"\n{target}: .venv/runtime\n")
    assert "config.free_port" in recipe.splitlines()[0]
