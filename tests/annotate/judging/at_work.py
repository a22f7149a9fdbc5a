"""An annotator's screens and answers without a browser, as short helpers for tests of pages."""

import re
from typing import Any
from uuid import uuid4

from django.test import Client

from annotate.models import Campaign
from tests.annotate.protocols import filled_in

JSON = {"Accept": "application/json"}


def address(campaign: Campaign, *rest: object) -> str:
    return "/".join(["/judge", str(campaign.uuid), *map(str, rest), ""])


def on_screen(client: Client, campaign: Campaign) -> str:
    """The address of the screen that is shown now."""
    return address(campaign, client.get(address(campaign), follow=True).context["showing"].uuid)


def answer(client: Client, campaign: Campaign, **extra: str) -> dict[str, str]:
    outputs = client.get(address(campaign), follow=True).context["outputs"]
    return {"key": str(uuid4()), **filled_in(range(1, len(outputs) + 1)), **extra}


def next_showing_in(reply: dict[str, Any]) -> str:
    """The showing of the screen that came with a confirmation."""
    [showing] = re.findall('data-showing="([^"]+)"', reply["screen"])
    return str(showing)
