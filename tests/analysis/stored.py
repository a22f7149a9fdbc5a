"""Stored results and parts of results."""

import json
from typing import Any

from django.core.cache import cache

from analysis.models import Run
from analysis.runs.parts import Parts
from analysis.runs.results import from_json, to_json


def forget_results() -> None:
    """Nothing was computed before."""
    Run.objects.all().delete()
    cache.clear()


class KeptParts(Parts):
    """Parts that come back as the database would give them."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind

    def __setitem__(self, number: int, part: Any) -> None:
        super().__setitem__(number, from_json(self.kind, json.loads(json.dumps(to_json(part)))))
