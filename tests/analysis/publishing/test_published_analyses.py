"""Every analysis that can be published: nobody is named, and everything follows from the inputs."""

import json
import re
import zlib
from collections.abc import Iterator
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from analysis.analyses.base import analyses
from analysis.analyses.systems.ranking import RANKING, RankingParameters
from analysis.models import Publication
from analysis.publishing.stated import publishable
from analysis.publishing.storing import zip_of
from analysis.publishing.verification import differences
from analysis.runs.results import to_plain_json
from annotate.models import Campaign
from core.names import Naming
from core.progress import NoProgress
from core.results import Computed
from formats.snapshot.snapshots import frame_of_file
from jobs.refusals import RefusedError
from ranking import Unit
from tests.analysis.campaigns_of_edits import campaign_of_edits
from tests.analysis.campaigns_on_scales import campaign_on_scales
from tests.analysis.campaigns_with_error_spans import campaign_with_error_spans
from tests.analysis.machine_campaigns import campaign_with_machines, corpus_for_machines
from tests.analysis.publishing.published import FEW, draw_nothing, draw_once, files_of, published_result
from tests.analysis.scored_campaigns import JUDGES, METRICS, edited_campaign, result_of
from tests.annotate.samples import ranking, small_campaign
from tests.annotate.scores.scoring import edited_corpus, scored

pytestmark = pytest.mark.any_database

WITH_MACHINES = "judged by machines, too"
ON_SCALES = "rated on scales"
WITH_SPANS = "with error spans"
OF_EDITS = "of edits"
WITH_A_TIE = "with a tie"
SYSTEMS = ("Alder", "Birch", "Cedar", "INPUT")
PUBLISHABLE = (
    *(
        "agreement",
        "agreement-by-document",
        "by-domain",
        "disagreements",
        "edits",
        "error-spans",
        "fragility",
        "hybrids",
        "judge-model",
        "machine-judges",
    ),
    *(
        "metric-rank-pairs",
        "metric-sweep",
        "metric-windows",
        "metrics-by-domain",
        "metrics-people",
        "new-metric",
    ),
    *("ranking", "ranking-with-machine", "scales", "stopping", "weighted-edits"),
)


@pytest.fixture(scope="module")
def judged(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Campaign]:
    """Judged and scored once for all tests here."""
    with django_db_blocker.unblock(), transaction.atomic():
        corpus = edited_corpus()
        scored(corpus, *METRICS)
        corpus.sentences.update(domain="mail")
        campaign_with_machines(corpus_for_machines(), WITH_MACHINES)
        campaign_on_scales(corpus, ON_SCALES, judges=JUDGES)
        campaign_with_error_spans(corpus, WITH_SPANS)
        campaign_of_edits(corpus, OF_EDITS)
        # Without a tie, all outcomes may be the same by the random order of hidden names: no kappa.
        tied = [ranking(judge, 0, "Cedar > Alder Birch = INPUT") for judge in JUDGES]
        small_campaign(corpus, WITH_A_TIE, rankings=tied)
        yield edited_campaign(corpus)
        transaction.set_rollback(True)


@pytest.fixture
def campaign(judged: Campaign, db: None) -> Campaign:
    return Campaign.objects.get(pk=judged.pk)


def about(analysis: str, campaign: Campaign) -> Campaign:
    """The campaign, or the one that this analysis is about."""
    others = {
        "agreement-by-document": WITH_A_TIE,
        "edits": OF_EDITS,
        "weighted-edits": OF_EDITS,
        "error-spans": WITH_SPANS,
        "ranking-with-machine": WITH_MACHINES,
        "scales": ON_SCALES,
    }
    return Campaign.objects.get(name=others[analysis]) if analysis in others else campaign


@pytest.fixture
def drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_once(monkeypatch)


def what_differs(publication: Publication, folder: Path) -> list[str]:
    path = folder / "published.zip"
    path.write_bytes(b"".join(zip_of(publication)))
    return list(differences(path, NoProgress()))


def test_publishable_analyses_have_methods_figures_and_tables() -> None:
    """And nothing that only admins may see is among it."""
    assert sorted(publishable()) == sorted(PUBLISHABLE)
    assert all(analysis.headline and analysis.figures for analysis in publishable().values())
    assert not any(analysis.is_for_admins for analysis in publishable().values())


@pytest.mark.parametrize("analysis", PUBLISHABLE)
@pytest.mark.usefixtures("drawn_once")
def test_nobody_and_no_system_is_named_and_everything_follows(
    campaign: Campaign, client: Client, tmp_path: Path, analysis: str
) -> None:
    publication = published_result(about(analysis, campaign), analysis, with_names=False)
    address = publication.get_absolute_url()
    shown = [client.get(address).content, *(figure.svg.encode() for figure in publication.figures.all())]
    files = files_of(publication)
    assert any(name.startswith("tables/") for name in files)
    assert any(name.startswith("figures/") for name in files)
    for held in (*shown, *files.values(), " ".join(files).encode()):
        for name in (*SYSTEMS, *JUDGES):
            assert name.encode() not in held
    assert b"system-01" in files["judgments.csv"]
    assert what_differs(publication, tmp_path) == []


@pytest.mark.parametrize("analysis", ["metrics-people", "judge-model"])
@pytest.mark.usefixtures("drawn_once")
def test_a_published_result_is_that_of_the_page(campaign: Campaign, analysis: str) -> None:
    publication = published_result(campaign, analysis)
    kind = analyses()[analysis]
    known = {name: int(text) for name, text in FEW.items() if hasattr(kind.parameters(), name)}
    parameters = kind.parameters(**known)
    of_page = Computed(parameters, result_of(kind, campaign, parameters))
    shown = json.dumps((publication.content or {})["tables"])
    for table in kind.printed_tables(of_page, Naming("", {}, {}, {})):
        for cell in chain.from_iterable(table.rows):
            numbers = [f"{cell:.3f}"] if isinstance(cell, float) else re.findall(r"\d+\.\d+", str(cell))
            assert all(number in shown for number in numbers)


def drawn_on(page: Client, publication: Publication) -> str:
    """The first table of its page."""
    text = page.get(publication.get_absolute_url()).content.decode().replace("\N{NO-BREAK SPACE}", " ")
    return text.partition("<table")[2].partition("</table>")[0]


@pytest.mark.usefixtures("drawn_once")
def test_a_published_table_draws_what_the_page_of_the_analysis_draws(
    campaign: Campaign, client: Client
) -> None:
    """And one that was published before draws what it has."""
    publication = published_result(campaign, "metric-rank-pairs")
    shown = drawn_on(client, publication)
    assert shown.count('<circle class="second"') == len(METRICS)
    assert ">100 %</text>" in shown
    table = (publication.content or {})["tables"][0]
    table["marks"] = [mark[:4] for mark in table["marks"]]
    del table["is_percent"], table["even"]
    publication.save()
    before = drawn_on(client, publication)
    assert before.count("<circle") == len(METRICS)
    assert ">1</text>" in before
    assert '<line class="even"' in drawn_on(client, published_result(campaign, "stopping"))
    assert drawn_on(client, published_result(campaign, "metrics-people")).count('class="plot hollow"') == 1


@pytest.mark.parametrize("unit", [Unit.JUDGMENT, Unit.SENTENCE, Unit.ANNOTATOR])
@pytest.mark.usefixtures("drawn_once")
def test_a_published_ranking_has_the_replicates_of_the_page(campaign: Campaign, unit: Unit) -> None:
    files = files_of(published_result(campaign, unit=unit.value, replicates="100"))
    published = pd.read_csv(BytesIO(files["tables/systems.csv"]))
    of_page = result_of(RANKING, campaign, RankingParameters(unit=unit, replicates=100)).standings.systems
    for name, ends in {"low": "score_low", "high": "score_high", "deviation": "spread"}.items():
        expected = pd.Series([getattr(row, ends) for row in of_page], dtype=float).tolist()
        assert published[name].tolist() == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.usefixtures("drawn_once")
def test_columns_of_numbers_are_known_as_such(campaign: Campaign) -> None:
    table, _ = (published_result(campaign, "fragility").content or {})["tables"]
    numeric = {column["name"] for column in table["columns"] if column["is_number"]}
    assert {"Difference in ExpectedWins", "Judgments", "Share"} <= numeric
    assert "Neighbours" in {column["name"] for column in table["columns"]} - numeric


@pytest.mark.parametrize("analysis", PUBLISHABLE)
def test_every_number_of_the_methods_comes_from_the_run(campaign: Campaign, analysis: str) -> None:
    kind = analyses()[analysis]
    known = {name: int(text) for name, text in FEW.items() if hasattr(kind.parameters(), name)}
    parameters = kind.parameters(**known)
    result = result_of(kind, about(analysis, campaign), parameters)
    assert kind.methods is not None
    text = " ".join(kind.methods(kind.resolved(parameters, scored=False), result))
    without_sources = re.sub(r"[A-Z][\w-]+(?: et al\.| and \w+)? \d{4}", "", text)
    stated = set(re.findall(r"\d+(?:[,.]\d+)*", without_sources))
    assert stated <= _numbers(to_plain_json(result)) | _numbers(to_plain_json(parameters))


def _numbers(value: Any) -> set[str]:
    """The numbers and the lengths in a value, as a paragraph may write them."""
    match value:
        case bool() | None:
            return set()
        case int() | float():
            return {f"{value:,}", f"{value:g}", f"{value:.3f}".lstrip("-"), f"{100 * value:g}"}
        case str():
            return set(re.findall(r"\d+(?:\.\d+)*", value))
        case dict():
            parts = [*value.keys(), *value.values()]
        case _:
            parts = list(value)
    counts = {str(len(value)), *(str(number) for number in range(len(value) + 1))}
    return counts.union(*map(_numbers, parts))


def test_a_pdf_names_no_system(campaign: Campaign) -> None:
    files = files_of(published_result(campaign, "fragility", with_names=False))
    for name, content in files.items():
        if name.endswith(".pdf"):
            held = content + b"".join(_streams(content))
            assert not any(system.encode() in held for system in SYSTEMS)
            # Characters of a font are named in UTF-16 where texts can be copied.
            assert not any(system.encode("utf-16-be") in held for system in SYSTEMS)


def _streams(pdf: bytes) -> Iterator[bytes]:
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL):
        try:
            yield zlib.decompressobj().decompress(stream)
        except zlib.error:
            continue


def test_numbers_of_systems_and_outputs_cannot_be_traced(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a seed nor a digest of a known text leads to a name."""
    draw_nothing(monkeypatch)
    first, second = (published_result(campaign, "fragility", with_names=False) for _ in range(2))
    outputs = [
        {line.split(",")[10] for line in files_of(each)["judgments.csv"].decode().splitlines()[1:]}
        for each in (first, second)
    ]
    assert not outputs[0] & outputs[1]


def test_nothing_stands_in_the_order_of_the_names(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ratings of a judgment are sorted by digest, and outputs are numbered by the numbers of systems."""
    draw_nothing(monkeypatch)
    for _ in range(2):  # Random numbers of systems may have the order of their names.
        files = files_of(published_result(campaign, "metrics-people", with_names=False))
        judgments, scores = (
            pd.read_csv(BytesIO(files[name])).convert_dtypes() for name in ("judgments.csv", "scores.csv")
        )
        for _, rows in judgments.dropna(subset=["output"]).groupby("judgment"):
            assert rows["output"].is_monotonic_increasing
            assert rows["position"].tolist() == list(range(len(rows)))
        (tmp_path / "judgments.csv").write_bytes(files["judgments.csv"])
        assert len(frame_of_file(tmp_path / "judgments.csv")) == len(judgments)
        for _, of_metric in scores.dropna(subset=["output"]).groupby("metric"):
            outputs = of_metric.sort_values(["sentence", "system"], kind="stable")["output"].unique()
            assert outputs.tolist() == list(range(len(outputs)))


@pytest.mark.usefixtures("drawn_once")
@pytest.mark.parametrize("with_names", [False, True])
def test_edits_are_published_without_their_words(campaign: Campaign, *, with_names: bool) -> None:
    judged = about("edits", campaign)
    details = judged.judgments.values_list("revisions__ratings__rating_details", flat=True)
    words = {edit["replacement"] for each in details for edit in (each or {}).get("edits", ())}
    assert {"goes", "went"} & words
    files = files_of(published_result(judged, "edits", with_names=with_names))
    assert "tables/types.csv" in files
    assert "tables/rejected.csv" not in files
    held = pd.read_csv(BytesIO(files["judgments.csv"]))["rating_details"].dropna()
    kept = {edit["replacement"] for text in held for edit in json.loads(text)["edits"]}
    assert not words.difference([""]) & kept


def test_a_title_that_names_a_system_is_refused(campaign: Campaign) -> None:
    with pytest.raises(RefusedError, match="The title names the system Birch"):
        published_result(campaign, title="How good is birch?", with_names=False)


def test_without_scores_metrics_are_not_published(db: None) -> None:
    with pytest.raises(RefusedError, match="has no metric scores yet"):
        published_result(edited_campaign(edited_corpus("plain"), "plain"), "metrics-people")
