"""Synthetic packages with metrics: folders as left by an installer, on `sys.path`."""

import re
import shutil
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from django.conf import settings

from metrics.entry_points import forget_further_metrics

Installed = Mapping[str, str]
"""Entry points of a package, by name."""


class Packages:
    """A folder of installed packages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._modules: list[str] = []

    def install(self, name: str, version: str, entry_points: Installed, **modules: str) -> None:
        """A package with modules, the source text of each by name."""
        information = self.folder / f"{name.replace('-', '_')}-{version}.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        lines = [f"{each} = {value}" for each, value in entry_points.items()]
        (information / "entry_points.txt").write_text("\n".join(["[assay.metrics]", *lines]) + "\n")
        for module, text in modules.items():
            (self.folder / f"{module}.py").write_text(text)
            self._modules.append(module)
        forget_further_metrics()

    def install_example(self) -> None:
        """The package that the documentation shows."""
        page = (
            (settings.BASE_DIR / "docs" / "metrics.md").read_text().partition("## Metrics from packages")[2]
        )
        [project] = re.findall(r"```toml\n(.*?)```", page, re.S)
        module = re.findall(r"```python\n(.*?)```", page, re.S)[0]
        described = tomllib.loads(project)["project"]
        self.install(
            described["name"],
            described["version"],
            described["entry-points"]["assay.metrics"],
            length_metric=module,
        )

    def uninstall(self) -> None:
        """Remove all of them."""
        for each in self.folder.iterdir():
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        self.forget()

    def forget(self) -> None:
        """Make Assay forget the packages, as if they had never been installed."""
        for module in self._modules:
            sys.modules.pop(module, None)
        forget_further_metrics()


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Packages]:
    """A folder in which a test installs packages, gone after it."""
    made = Packages(tmp_path / "site-packages")
    made.folder.mkdir()
    monkeypatch.syspath_prepend(made.folder)
    yield made
    made.forget()
