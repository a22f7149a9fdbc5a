"""Pages about metrics of a campaign, as a researcher sees them."""

import csv
import io
from collections.abc import Iterable
from html import unescape
from typing import cast

from django.test import Client

from annotate.models import Campaign


def page(client: Client, campaign: Campaign, name: str, query: str = "") -> str:
    """The text of the page `name` beside the main one, which holds no number that is none."""
    response = client.get(f"/campaigns/{campaign.uuid}/metrics/{name}/{query}")
    assert response.status_code == 200
    shown = unescape(response.content.decode())
    assert ">nan" not in shown.lower()
    return shown


def file_of(client: Client, campaign: Campaign, name: str, of: str = "analyses") -> bytes:
    """A figure or a table, of an analysis or of the page of metrics."""
    response = client.get(f"/campaigns/{campaign.uuid}/{of}/{name}")
    assert response.status_code == 200
    return b"".join(cast(Iterable[bytes], response))


def rows_of(client: Client, campaign: Campaign, name: str, of: str = "analyses") -> list[dict[str, str]]:
    """A table as CSV."""
    return list(csv.DictReader(io.StringIO(file_of(client, campaign, name, of).decode())))
