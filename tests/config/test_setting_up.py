"""`make` sets up the environment, and says what is missing on unusual machines."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from config.address import check, is_local, is_taken

PIP = "#!/bin/sh\necho installing\n"
PYTHON = f"""#!/bin/sh
[ "$1" = -m ] || exit 0
mkdir -p .venv/bin
printf '{PIP.encode("unicode_escape").decode()}' > .venv/bin/pip
chmod +x .venv/bin/pip
"""


EVERYWHERE = "0.0.0.0"  # noqa: S104  # to be refused


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


def address(host: str, port: int, **variables: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "config.address", host, str(port)],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PROXIES": "0", **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_port_that_is_taken_is_named_before_anything_else_is_done() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        taken = address("127.0.0.1", port)
        assert taken.returncode == 1
        assert f"http://127.0.0.1:{port}/, perhaps" in taken.stderr
        assert not is_taken("127.0.0.2", port)


def test_an_address_on_the_network_is_refused_with_what_to_do() -> None:
    refused = address(EVERYWHERE, 0)
    assert refused.returncode == 1
    assert refused.stderr.startswith("HOST=0.0.0.0 lets others on the network reach the server itself")
    assert all(setting in refused.stderr for setting in ("PROXIES=1", "HTTPS=True", "WITHOUT_PROXY=True"))


@pytest.mark.parametrize("variables", [{"PROXIES": "1"}, {"WITHOUT_PROXY": "True"}])
def test_an_address_on_the_network_is_taken_behind_a_proxy_or_if_it_is_meant(
    variables: dict[str, str],
) -> None:
    assert address(EVERYWHERE, 0, **variables).returncode == 0


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        (EVERYWHERE, False),
        ("::", False),
        ("[::]", False),
        ("", False),
        ("192.0.2.1", False),
    ],
)
def test_local_addresses(host: str, *, local: bool) -> None:
    assert is_local(host) is local


def test_the_server_says_what_is_wrong_with_an_unknown_name() -> None:
    check("nowhere.invalid", 0, is_meant=False)


@pytest.mark.parametrize("target", ["demo", "run"])
def test_starting_looks_at_the_address_first(target: str) -> None:
    makefile = (settings.BASE_DIR / "Makefile").read_text()
    [_, recipe] = makefile.split(f"\n{target}: .venv/runtime\n")
    assert "config.address" in recipe.splitlines()[0]
