"""The benchmark of annotators over HTTP runs, and confirmed answers are stored."""

import json
import subprocess
import sys

import pytest
from django.conf import settings

PROGRAM = """
from dev.benchmarks import annotators
annotators.ITEMS, annotators.BATCH, annotators.SENT_TWICE_EVERY = 600, 100, 1
annotators.main()
"""


@pytest.mark.deep  # test_load runs the same server and client.
def test_a_short_run_loses_and_doubles_nothing() -> None:
    options = ["--database", "sqlite", "--annotators", "3", "--seconds", "2", "--json"]
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, *options], cwd=settings.BASE_DIR, stdout=subprocess.PIPE, check=True
    )
    figures = json.loads(run.stdout)
    assert figures["believed"] == figures["stored"] >= 3
    assert figures["lost"] == figures["doubled"] == 0
    assert figures["queries_per_request"] <= 12
    assert min(figures[name] for name in ("judgments_per_second", "p50_ms", "p95_ms")) > 0


def test_settings_are_read_after_a_benchmark_has_named_its_database() -> None:
    """Settings that are read on import name the database of the installation, which would be written to."""
    modules = "annotators, exports, imports, load, metrics_people, pages, size_jobs, slow_clients"
    program = (
        f"from dev.benchmarks import {modules}\nfrom django.conf import settings\nprint(settings.configured)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=settings.BASE_DIR, capture_output=True, text=True, check=True
    )
    assert run.stdout == "False\n"
