"""The load of a shared task: every habit of its annotators, and all that goes on beside, in a few seconds."""

import json
import subprocess
import sys

import pytest
from django.conf import settings

PROGRAM = """
from benchmarks import load
load.BATCH, load.IMPORTED_SENTENCES = 3, 5
load.main()
"""


@pytest.mark.slow
def test_what_was_confirmed_is_stored_whatever_annotators_do() -> None:
    options = ["--database", "sqlite", "--annotators", "4", "--pause", "0.1", "--minutes", "0.05", "--json"]
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, *options], cwd=settings.BASE_DIR, stdout=subprocess.PIPE, check=True
    )
    figures = json.loads(run.stdout)
    assert figures["confirmed"] == figures["stored"] >= 4
    assert figures["lost"] == figures["doubled"] == figures["over"] == figures["errors"] == 0
    assert 0 < figures["p50_ms"] <= figures["p95_ms"]
    assert figures["beside"]["exports"]
