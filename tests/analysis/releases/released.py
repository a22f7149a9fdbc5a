"""Campaigns to release, and their releases."""

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.releases.about import About, read_about
from analysis.releases.checks import Confirmation, checked
from analysis.releases.options import NO_OPTIONS, Options
from analysis.releases.releasing import Release, write_release
from analysis.releases.version_changes import read_previous
from annotate.models import Campaign, System
from core.progress import NoProgress, Progress
from formats import Edit, Reference
from tests.annotate.samples import SENTENCES, ranking, sentence, small_campaign, small_corpus

ABOUT = """\
name = "learner-judgments"
title = "Judgments: “learners” & co"
description = "Rankings of corrections.\\n\\nOf learners' sentences."
version = "1.0.0"
date = 2026-11-26
licence = "CC-BY-4.0"
text_licence = "CC-BY-SA-4.0"
url = "https://example.org/judgments"
contact = "data@example.org"
source = "https://example.org/corpus"
keywords = ["learner English"]

[[authors]]
family = "Lovelace"
given = "Ada"
affiliation = "University"
orcid = "0000-0002-1825-0097"

[[authors]]
family = "The Group"

[answers]
purpose = "To compare systems."
biases = "One test set."
"""

JUDGES = ("anna", "ben", "carla")
RANKINGS = [
    ranking(judge, *judged)
    for judge in JUDGES
    for judged in (
        (0, "Alder Birch > Cedar > INPUT"),
        (1, "Alder > Birch = INPUT > Cedar" if judge == "ben" else "Birch > Alder > INPUT = Cedar"),
        (2, "Alder Birch Cedar INPUT"),
        (3, "Birch > Alder > Cedar INPUT" if judge != "carla" else ""),
    )
]
"""Three judges of four sentences; nothing is to be judged in one, and one judge skips another."""


def campaign_to_release(name: str = "learners", *, control: str = "Cedar") -> Campaign:
    """Imported judgments by three people, with a control and without anything to look at in the texts."""
    corpus = small_corpus(f"corpus of {name}", sentences=SENTENCES)
    if control:
        System.objects.filter(corpus=corpus, name=control).update(role="control")
    return small_campaign(corpus, name, rankings=RANKINGS)


def campaign_with_personal_data() -> Campaign:
    """Judgments of a sentence with an address, whose reference, document and edit have others."""
    edit = Edit(0, 1, "Vform", ("Wrote",), "REQUIRED", "ask eve@example.org")
    written = sentence(
        "Write to ada @ example.org or call +49 30 1234567 .",
        "Write to ada@example.org or call +49 30 1234567 .",
        "Write .",
        "Call 4111 1111 1111 1111 .",
        references=(Reference("Otto Normal", "See https://example.org/ada .", (edit,)),),
        document="bob@example.org",
    )
    corpus = small_corpus("personal", sentences=[written])
    return small_campaign(
        corpus, "personal", rankings=[ranking(judge, 0, "Alder > Birch > Cedar > INPUT") for judge in JUDGES]
    )


def about_of(folder: Path, **changes: str) -> About:
    """The description, with changed lines `key = value`; an empty value takes the line away."""
    lines = []
    for line in ABOUT.splitlines():
        key = line.partition(" = ")[0]
        if key not in changes:
            lines.append(line)
        elif changes[key]:
            lines.append(f"{key} = {changes.pop(key)}")
    new = [f"{key} = {value}" for key, value in changes.items() if value and f"\n{key} = " not in ABOUT]
    path = folder / "about.toml"
    path.write_text("\n".join([*new, *lines]), encoding="utf-8")
    return read_about(path)


def release_of(
    campaign: Campaign | Sequence[Campaign],
    folder: Path,
    *,
    into: str = "release",
    confirmed: Collection[Confirmation] = (),
    previous: Path | None = None,
    options: Options = NO_OPTIONS,
    progress: Progress | None = None,
    **changes: str,
) -> Release:
    """The release of a campaign, or of several, in this folder."""
    campaigns = [campaign] if isinstance(campaign, Campaign) else campaign
    about = about_of(folder, **changes)
    check = checked(campaigns, about, confirmed, NoProgress(), options)
    return write_release(
        campaigns,
        folder / into,
        about,
        check,
        previous=read_previous(previous, about) if previous else None,
        options=options,
        by=None,
        progress=progress or NoProgress(),
    )


def table(release: Release, name: str) -> pd.DataFrame:
    return pd.read_parquet(release.folder / "data" / f"{name}.parquet")


def contents(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def recomputed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> "pd.Series[float]":
    """The ranking by the program in the card, which is run as it stands."""
    [program] = re.findall(r"```python\n(.*?)```", (folder / "README.md").read_text(), re.S)
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {}
    exec(program, names)  # noqa: S102
    ranking: pd.Series[float] = names["ranking"]
    return ranking
