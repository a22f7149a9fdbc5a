"""The data that a site shows: API responses, exports, the data on pages, and published results."""

import csv
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from typing import Any

from django.test import Client

from tests.upgrade.judging import text_of

OF_A_CORPUS = ("", "sentences/?limit=1000")
OF_A_CAMPAIGN = (
    "",
    "progress/",
    "annotators/?limit=1000",
    "items/?limit=1000",
    "judgments/?limit=1000&history=true&excluded=true",
    "agreement/",
    "ranking/?seed=1",
    "ranking/?seed=1&unit=sentence&excluded=true&replicates=200",
    *(f"export/?format={name}" for name in ("csv", "jsonl", "appraise", "wmt-csv")),
)
PAGES = (
    "/",
    "/accounts/",
    "/audit/",
    "/jobs/",
    "/programs/",
    "/campaigns/new/",
    "/imports/corpus/",
    "/imports/judgments/",
)
PAGES_OF_A_CORPUS = ("", "controls.csv", "delete/", "distinct-outputs.svg")
PAGES_OF_A_CAMPAIGN = (
    "",
    "manage/",
    "edit/",
    "launch/",
    "clone/",
    "delete/",
    "crowd/",
    "crowd/payouts.csv",
    "export/",
    "published/",
    "reports-and-skips/",
    "quality/",
    "ranking/",
    "analyses/ranking/ranking.svg",
    "analyses/agreement/agreement.svg",
    "progress.svg",
)
MOVED = {
    "ranking/systems.svg": "analyses/ranking/ranking.svg",
    "ranking/agreement.svg": "analyses/agreement/agreement.svg",
}
"""By the end of an address that an earlier commit had, the one that the file has now."""


def facts_of(admin: Client, researcher: Client) -> dict[str, Any]:
    """All facts.

    Returns:
        `api`: by address the status and the content that the API answers to the researcher, exports as rows;
        `names`: by campaign the names of the annotators by number, as the API answers to the admin;
        `pages`: by address the status of the admin's page, and which names it shows;
        `published`: by address what anyone with the link gets.
    """
    corpora = _results(researcher, "corpora/")
    campaigns = _results(researcher, "campaigns/")
    addresses = [
        *("corpora/", "campaigns/"),
        *(f"corpora/{corpus['uuid']}/{rest}" for corpus in corpora for rest in OF_A_CORPUS),
        *(f"campaigns/{campaign['uuid']}/{rest}" for campaign in campaigns for rest in OF_A_CAMPAIGN),
    ]
    names = {campaign["uuid"]: _names(admin, campaign["uuid"]) for campaign in campaigns}
    systems = {name for row in corpora for name in _systems(researcher, f"corpora/{row['uuid']}/")}
    people = {name for of_campaign in names.values() for name in of_campaign.values()}
    words = sorted({row["name"] for row in (*corpora, *campaigns)} | systems | people)
    pages = [
        *PAGES,
        *(f"/corpora/{corpus['uuid']}/{rest}" for corpus in corpora for rest in PAGES_OF_A_CORPUS),
        *(f"/campaigns/{campaign['uuid']}/{rest}" for campaign in campaigns for rest in PAGES_OF_A_CAMPAIGN),
    ]
    return {
        "api": {address: _answer(researcher, address) for address in addresses},
        "names": names,
        "pages": {address: _page(admin, address, words) for address in pages},
        "published": {
            address: _published(address)
            for campaign in campaigns
            for address in _links(admin, f"/campaigns/{campaign['uuid']}/published/")
        },
    }


def _now(address: str) -> str:
    for before, after in MOVED.items():
        address = address.replace(before, after)
    return address


def facts_again(then: Mapping[str, Any], admin: Client, researcher: Client) -> dict[str, Any]:
    """The facts at the same addresses, and of the names on pages those that were there.

    Pages come first: exports through the API would fill the first page of the audit log.
    """
    pages = {address: _page(admin, _now(address), page["names"]) for address, page in then["pages"].items()}
    return {
        "api": {
            address: _answer(researcher, _as_stated_now(address, answer))
            for address, answer in then["api"].items()
        },
        "names": {uuid: _names(admin, uuid) for uuid in then["names"]},
        "pages": pages,
        "published": {address: _published(address) for address in then.get("published", ())},
    }


def _as_stated_now(address: str, answer: Mapping[str, Any]) -> str:
    """The address of a ranking that resampled pairs, when that was the default for rankings."""
    by_pair = "|unit:pair|" in str(answer["content"]) and "unit=" not in address
    return f"{address}&unit=pair" if by_pair and "/ranking/" in address else address


def _names(admin: Client, campaign: str) -> dict[str, str]:
    rows = _results(admin, f"campaigns/{campaign}/annotators/?names=true")
    return {str(row["annotator_number"]): row["annotator"] for row in rows}


def _results(client: Client, address: str) -> list[dict[str, Any]]:
    answer = client.get(f"/api/v1/{address}")
    rows: list[dict[str, Any]] = answer.json()["results"]
    return rows


def _systems(client: Client, address: str) -> list[str]:
    return [system["name"] for system in client.get(f"/api/v1/{address}").json()["systems"]]


def _answer(client: Client, address: str) -> dict[str, Any]:
    response = client.get(f"/api/v1/{address}")
    body = response.getvalue().decode() if response.streaming else response.content.decode()
    return {"status": response.status_code, "content": _content(body, response["Content-Type"])}


def _content(body: str, kind: str) -> object:
    """What comparing is to see of an answer: fields by name, where it has any."""
    if "csv" in kind:
        return list(csv.DictReader(io.StringIO(body)))
    if "jsonl" in kind or "ndjson" in kind:
        return [json.loads(line) for line in body.splitlines()]
    return json.loads(body) if "json" in kind else body


def _page(client: Client, address: str, words: Iterable[str]) -> dict[str, Any]:
    response = client.get(address)
    body = response.getvalue().decode() if response.streaming else response.content.decode()
    text = text_of(body)
    return {"status": response.status_code, "names": [word for word in words if _stands_in(word, text)]}


def _stands_in(name: str, text: str) -> bool:
    """Whether the text has the name by itself: "eve" does not stand in "everything"."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _links(admin: Client, address: str) -> list[str]:
    """Where the published results of a campaign are."""
    page = admin.get(address).content.decode()
    return re.findall(r'href="http://testserver(/published/[^"]+)"', page)


def _published(address: str) -> dict[str, Any]:
    """The rows of the tables of a published result; checksums of its figures and of the files of its zip."""
    client = Client()
    page = client.get(address).content.decode()
    rows = [row for row in re.findall("<tr>.*?</tr>", page, re.DOTALL) if "<td" in row]
    links = {unescape(link) for link in re.findall(rf'"({re.escape(address)}[^"]+)"', page)}
    return {
        "rows": [[text_of(cell) for cell in re.findall("<t[dh].*?</t[dh]>", row)] for row in rows],
        "files": dict(each for link in sorted(links) for each in _checksums(client, link)),
    }


def _checksums(client: Client, address: str) -> Iterator[tuple[str, int]]:
    """That of a figure, or of each file of a zip."""
    content = client.get(address).getvalue()
    if not address.endswith(".zip"):
        yield address, zlib.crc32(content)
        return
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for entry in archive.infolist():
            yield f"{address} {entry.filename}", entry.CRC
