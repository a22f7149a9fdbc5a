"""A small package `gec_metrics` in a folder, and an interpreter that imports it, like the real one."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from metrics.entry_points import forget_further_metrics
from metrics.gec_metrics.listing import Setup, make_list
from metrics.gec_metrics.metric import set_up

Use = Callable[[Setup], None]

PACKAGE = '''
import os, time, pathlib

class Base:
    class Config:
        def __init__(self, weight=1.0, fail=False):
            self.weight = weight
            if fail:
                raise OSError("no model in this folder")
    def __init__(self, config):
        self.weight = config.weight
        print("loading a model")

class Shorter(Base):
    """Tokens of the hypothesis / tokens of the source."""
    def score_sentence(self, sources, hypotheses):
        print("scoring")
        return [self.weight * len(h.split()) / max(1, len(s.split())) for s, h in zip(sources, hypotheses)]

class Shared(Base):
    """Mean share of references that the hypothesis equals."""
    def score_sentence(self, sources, hypotheses, references):
        return [sum(r == h for r in rs) / len(rs) for h, *rs in zip(hypotheses, *references)]

class NoSource(Base):
    def score_sentence(self, hypotheses, references):
        return [float(h == r) for h, r in zip(hypotheses, references[0])]

class Slow(Base):
    def score_sentence(self, sources, hypotheses):
        pathlib.Path(__file__).with_name("pid").write_text(str(os.getpid()))
        time.sleep(60)

class Dies(Base):
    def score_sentence(self, sources, hypotheses):
        os.write(2, b"out of memory\\n")
        os._exit(3)

class Miscounts(Base):
    def score_sentence(self, sources, hypotheses):
        return [1.0] * (len(hypotheses) + 1)

class Raises(Base):
    def score_sentence(self, sources, hypotheses):
        raise ValueError("unknown token")

class Undefined(Base):
    def score_sentence(self, sources, hypotheses):
        return [float("nan") if not h else 1 for h in hypotheses]

METRICS = {
    cls.__name__.lower(): cls
    for cls in (Shorter, Shared, NoSource, Slow, Dies, Miscounts, Raises, Undefined)
}

def get_metric_ids():
    return list(METRICS)

def get_metric(name):
    return METRICS[name]
'''


def stand_in(folder: Path, *, version: str = "0.1.0") -> Path:
    """The interpreter of a folder, which is made."""
    packages = folder / "packages"
    packages.mkdir(parents=True)
    (packages / "gec_metrics").mkdir()
    (packages / "gec_metrics" / "__init__.py").write_text(PACKAGE)
    set_version(folder, version)
    return interpreter(folder, f'PYTHONPATH="{packages}" exec "{sys.executable}" "$@"')


def set_version(folder: Path, version: str) -> None:
    """Install another version."""
    information = folder / "packages" / "gec_metrics.dist-info"
    information.mkdir(exist_ok=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: gec-metrics\nVersion: {version}\n")


def interpreter(folder: Path, command: str) -> Path:
    """A program that runs this command of a shell."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{command}\n")
    path.chmod(0o755)
    return path


def listed_setup(folder: Path, *metrics: str, seconds: float = 200) -> Setup:
    """The stand-in, with its metrics listed."""
    setup = Setup(str(stand_in(folder)), folder / "gec-metrics.json", seconds)
    make_list(setup, metrics, {})
    return setup


def listed_by_hand(folder: Path, command: str, *, seconds: float = 200) -> Setup:
    """A program that claims to be an interpreter, with a list that says that it has `shorter`."""
    setup = Setup(str(interpreter(folder, command)), folder / "gec-metrics.json", seconds)
    metric = {"id": "shorter", "label": "Shorter", "references": False, "options": {}}
    told = {"python": setup.python, "version": "0.1.0", "metrics": [metric]}
    setup.list_file.write_text(json.dumps(told))
    return setup


@pytest.fixture
def use() -> Iterator[Use]:
    """Set gec-metrics up, until the end of the test."""

    def use(setup: Setup) -> None:
        set_up(setup)
        forget_further_metrics()

    yield use
    set_up(None)
    forget_further_metrics()
