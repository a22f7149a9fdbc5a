"""Parses on disk: keyed by content and pipeline, bounded, and safe if a writer is killed."""

import subprocess
import sys
from pathlib import Path

import pytest

from metrics.english import parse_cache
from metrics.english.parse_cache import ParseCache
from tests.metrics.registered import toy_parse

KILLED = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("begin immediate")
connection.execute("insert or replace into parses select key, x'00', used from parses")
os.kill(os.getpid(), 9)
"""

TEXTS = [f"a cat sits {number}" for number in range(1200)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "parses.sqlite3"


def test_stored_parses_are_found(path: Path) -> None:
    parses = {text: toy_parse(text) for text in TEXTS}
    ParseCache(path).put("one", parses)
    assert ParseCache(path).get("one", [*TEXTS, "other"]) == parses


def test_another_pipeline_has_other_parses(path: Path) -> None:
    cache = ParseCache(path)
    cache.put("one", {"a": toy_parse("a")})
    assert cache.get("other", ["a"]) == {}


def test_the_older_half_goes_when_it_has_grown_too_large(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = ParseCache(path, most_bytes=100_000)
    for day, begin in enumerate(range(0, 1200, 100)):
        monkeypatch.setattr(parse_cache, "time", lambda day=day: day * parse_cache.SECONDS_A_DAY)
        cache.put("one", {text: toy_parse(text) for text in TEXTS[begin : begin + 100]})
        assert cache.get("one", TEXTS[:1])  # what is used is not old
    assert path.stat().st_size < 150_000
    assert set(cache.get("one", TEXTS[1100:])) == set(TEXTS[1100:])
    assert not cache.get("one", TEXTS[1:100])


def test_a_writer_that_is_killed_leaves_it_as_it_was(path: Path) -> None:
    cache = ParseCache(path)
    cache.put("one", {"a": toy_parse("a")})
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert killed.returncode == -9
    assert cache.get("one", ["a"]) == {"a": toy_parse("a")}
    cache.put("one", {"b": toy_parse("b")})
    assert set(cache.get("one", ["a", "b"])) == {"a", "b"}


def test_a_damaged_file_is_made_anew(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database" * 1000)
    cache = ParseCache(path)
    cache.put("one", {"a": toy_parse("a")})
    assert cache.get("one", ["a"]) == {"a": toy_parse("a")}


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = ParseCache(tmp_path / "file" / "parses.sqlite3")
    cache.put("one", {"a": toy_parse("a")})
    assert cache.get("one", ["a"]) == {}
