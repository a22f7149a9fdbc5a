"""Linear algebra uses one thread per process unless the environment sets another number."""

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("package", ["config", "dev.benchmarks"])
@pytest.mark.parametrize(("given", "used"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")])
def test_one_thread_before_numpy_is_loaded(package: str, given: dict[str, str], used: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import {package}, os, sys; print('numpy' in sys.modules, os.environ['OPENBLAS_NUM_THREADS'])",
        ],
        env={**environment, **given},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == ["False", used]
