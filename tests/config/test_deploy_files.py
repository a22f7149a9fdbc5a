"""The files for systemd, containers and nginx; each is tried with its own program where that is installed."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

BASE: Path = settings.BASE_DIR
SELF_SIGNED = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=assay.example.org")
UNITS = sorted((BASE / "deploy").glob("*.service"))


def program(name: str) -> str:
    """The path of a program; a machine without it cannot try the file."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed.")
    return path


def test_the_units_are_accepted_by_systemd(tmp_path: Path) -> None:
    verify = program("systemd-analyze")
    for name in ("python", "gunicorn", "celery"):
        stand_in = tmp_path / ".venv" / "bin" / name
        stand_in.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy("/bin/true", stand_in)
    for unit in UNITS:
        text = unit.read_text().replace("/srv/assay", str(tmp_path))
        (tmp_path / unit.name).write_text(re.sub("^(User|Group)=assay$", r"\1=root", text, flags=re.M))
    files = [str(tmp_path / unit.name) for unit in UNITS]
    verified = subprocess.run([verify, "verify", *files], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")


def test_units_and_containers_start_the_same_programs_and_start_them_again() -> None:
    units = {unit.stem.removeprefix("assay-"): unit.read_text() for unit in UNITS}
    compose: dict[str, Any] = yaml.safe_load((BASE / "compose.yaml").read_text())
    makefile = (BASE / "Makefile").read_text()
    [web] = re.findall(r'^CMD \["(.*)"\]$', (BASE / "Dockerfile").read_text(), re.M)
    commands = {"web": web.replace('", "', " "), "worker": compose["services"]["worker"]["command"]}
    for name, command in commands.items():
        [of_unit] = re.findall(r"^ExecStart=/srv/assay/.venv/bin/(.*)$", units[name], re.M)
        assert of_unit == command.replace("0.0.0.0", "127.0.0.1")  # noqa: S104  # within the container
        assert "Restart=always" in units[name]
        assert compose["services"][name]["restart"] == "unless-stopped"
        options = re.findall(r"--(?:without-\w+|config \S+)", command)
        assert options
        assert [option for option in options if option not in makefile] == []


def test_the_composition_is_accepted(tmp_path: Path) -> None:
    compose = program("docker-compose")
    shutil.copy(BASE / "compose.yaml", tmp_path)
    (tmp_path / ".env").write_text("POSTGRES_PASSWORD=x\n")
    checked = subprocess.run(
        [compose, "config", "-q"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


def test_the_image_is_described_as_its_linter_wants() -> None:
    hadolint = program("hadolint")
    checked = subprocess.run([hadolint, BASE / "Dockerfile"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_the_proxys_configuration_is_accepted_and_logs_no_query(tmp_path: Path) -> None:
    text = (BASE / "deploy" / "nginx.conf").read_text()
    [log_format] = re.findall(r"^log_format.*?;", text, re.M | re.S)
    assert not re.search(r"\$(request|args|query_string|request_uri|uri)\b", log_format)
    nginx, openssl = program("nginx"), program("openssl")
    key, certificate = tmp_path / "privkey.pem", tmp_path / "fullchain.pem"
    subprocess.run(
        [openssl, *SELF_SIGNED, "-keyout", key, "-out", certificate],
        capture_output=True,
        check=True,
    )
    text = re.sub(r"/etc/letsencrypt/live/assay.example.org|/var/log/nginx", str(tmp_path), text)
    whole = f"pid {tmp_path}/pid; error_log {tmp_path}/log; events {{}} http {{ {text} }}"
    (tmp_path / "nginx.conf").write_text(whole)
    checked = subprocess.run(
        [nginx, "-t", "-c", tmp_path / "nginx.conf"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
