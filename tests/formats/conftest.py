from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file and return its path; text goes out as UTF-8, line ends untouched."""

    def write(content: str | bytes, name: str = "file") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture(scope="session")
def scratch_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A path that property tests overwrite with every example."""
    return tmp_path_factory.mktemp("formats") / "scratch"
