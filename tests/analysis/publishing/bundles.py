"""Bundles with changes, and what verification finds in them."""

import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis.publishing.bundle import MANIFEST
from tests.analysis.judgment_files import Capture

ANSWERS = [
    *(("anna", number, "A > B > C") for number in range(4)),
    *(("ben", number, "B > A = C") for number in range(4)),
]

FEW = ("--replicates", "20")


def contents(bundle: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(bundle) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def forged(bundle: Path, files: dict[str, bytes]) -> Path:
    """A bundle of these files with a manifest that agrees with them."""
    other = bundle.with_name("forged.zip")
    manifest = [f"{sha256(text).hexdigest()}  {name}\n" for name, text in files.items() if name != MANIFEST]
    with zipfile.ZipFile(other, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, "".join(manifest) if name == MANIFEST else text)
    return other


def changed(bundle: Path, name: str, change: Callable[[bytes], bytes | None]) -> Path:
    """The bundle with one file changed, or without it."""
    other = bundle.with_name("changed.zip")
    with zipfile.ZipFile(other, "w") as archive:
        for each, content in contents(bundle).items():
            new = change(content) if each == name else content
            if new is not None:
                archive.writestr(each, new)
    return other


def found(bundle: Path, capsys: Capture) -> str:
    """The differences that verification finds in a bundle with a fault."""
    capsys.readouterr()
    with pytest.raises(CommandError):
        call_command("verify", bundle)
    return capsys.readouterr().out


def replacing(old: bytes, new: bytes, times: int = -1) -> Callable[[bytes], bytes]:
    """A change of a file."""
    return lambda text: text.replace(old, new, times)
