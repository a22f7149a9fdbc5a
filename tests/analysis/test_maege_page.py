"""The page of metrics without people, its figures and files, and its runs."""

import json
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from analysis.analyses.lattice import LATTICE, LatticeParameters
from analysis.analyses.maege import MAEGE, MaegePart, Prepared
from analysis.analyses.metrics_people import METRICS_PEOPLE
from analysis.models import Run, RunPart
from analysis.runs.computing import computed
from analysis.runs.queries import compute_anew, current, in_this_process
from analysis.runs.requests import Request, request_of
from analysis.runs.results import from_json, to_json
from analysis.runs.sources import source_of
from analysis.runs.storing import StoredParts
from annotate.models import Corpus
from core.parameters import ParameterError
from core.progress import NoProgress
from formats import Reference
from jobs import running
from jobs.queue import cancel
from metrics import metric_from_text
from metrics.validation.maege import (
    MaegeParameters,
    PairScorer,
    SeedScores,
    Source,
    Texts,
    Work,
    compared_with_people,
    draw,
    seed_scores,
)
from metrics.validation.maege.scoring import PAIRS_AT_ONCE
from tests.analysis.described import corpus_with_lattices, edit, validated_corpus
from tests.analysis.scored_campaigns import METRICS, edited_campaign
from tests.analysis.scored_campaigns import result_of as result_of_campaign
from tests.annotate.samples import sentence, small_corpus
from tests.annotate.scores.scoring import edited_corpus, scored
from tests.jobs.kinds import after_working
from tests.metrics.validation.maege.samples import corpus_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    return validated_corpus()


def address(corpus: Corpus, path: str = "") -> str:
    return f"{corpus.get_absolute_url()}analyses/maege/{path}"


def page(client: Client, corpus: Corpus, path: str = "") -> str:
    return client.get(address(corpus, path)).content.decode()


@pytest.mark.any_database
def test_the_page_begins_with_the_result(researcher: Client, corpus: Corpus) -> None:
    text = page(researcher, corpus)
    assert "follows the order of corrections best" in text
    assert "1 of 2 sentences, 2 chains with 5 corrections and 4 comparable pairs, drawn 10 times" in text
    assert "only references of the corpus are the ends of the chains" in text
    assert "paper 0.564" in text
    assert "nan" not in text.lower().replace("annan", "")


@pytest.mark.any_database
def test_figures_are_of_the_result(researcher: Client, corpus: Corpus) -> None:
    words = {
        path: {
            element.text
            for element in ET.fromstring(researcher.get(address(corpus, path)).content).iter()  # noqa: S314
            if element.text
        }
        for path in ("correlations.svg", "types.svg")
    }
    assert {"MinLD", "iBLEU", "Spearman’s ρ, corpora"} <= words["correlations.svg"]
    assert {"R:NOUN (2)", "R:OTHER (1)", "MinLD"} <= words["types.svg"]
    for path, kind in (("types.pdf", "application/pdf"), ("correlations.png", "image/png")):
        assert researcher.get(address(corpus, path))["Content-Type"] == kind


@pytest.mark.any_database
def test_files_are_of_the_result(researcher: Client, corpus: Corpus) -> None:
    def lines(path: str) -> list[str]:
        return researcher.get(address(corpus, path)).getvalue().decode().splitlines()

    table = lines("maege.csv")
    assert table[0].startswith("metric,spearman,spearman_sd,spearman_low,spearman_high,spearman_p,")
    assert len(table) == 1 + 7
    assert len(lines("types.csv")) == 1 + 2 * 7
    assert "\n".join(lines("maege.tex")).count("\\\\") == 1 + 7
    assert "\n".join(lines("types.tex")).count("\\\\") == 1 + 2


@pytest.mark.any_database
@pytest.mark.parametrize("path", ["types.svg?seeds=2", "maege.csv?seeds=2", "maege.xlsx", "types.bmp"])
def test_files_without_a_result_are_404(researcher: Client, corpus: Corpus, path: str) -> None:
    assert researcher.get(address(corpus, path)).status_code == 404


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("?metric=blue", "there is no metric &#x27;blue&#x27;"),
        ("?seeds=51", "there may be 50 seeds at most"),
        ("?source=elsewhere", "source should be one of uniform, corpora, original"),
    ],
)
def test_wrong_parameters_are_said_in_words(
    researcher: Client, corpus: Corpus, query: str, fault: str
) -> None:
    refused = researcher.get(address(corpus, query))
    assert refused.status_code == 400
    assert fault in refused.content.decode()


def test_a_corpus_without_edits_says_what_to_do(researcher: Client) -> None:
    alone = small_corpus("alone", sentences=[sentence("a b", references=[Reference("0", "a c", None)])])
    assert "Import it with M2 files to validate metrics on it" in page(researcher, alone)


def test_people_stand_beside_it(researcher: Client) -> None:
    corpus = edited_corpus()
    scored(corpus, *METRICS)
    campaign = edited_campaign(corpus)
    result_of_campaign(METRICS_PEOPLE, campaign)
    parameters = {"metric": ", ".join(METRICS), "annotators": 1, "seeds": 2}
    in_this_process(asked(campaign.corpus, **parameters), NoProgress())
    query = f"?{urlencode(parameters)}"
    text = page(researcher, campaign.corpus, query)
    assert "Beside people" in text
    assert campaign.name in text
    assert "Pearson’s r with people" in text
    figure = researcher.get(address(campaign.corpus, f"people.svg{query}"))
    words = {each.text for each in ET.fromstring(figure.content).iter() if each.text}  # noqa: S314
    assert {"GLEU", "SARI", "chrF++", "Spearman’s ρ by MAEGE, corpora"} <= words


def test_without_people_there_is_no_figure_of_them(researcher: Client, corpus: Corpus) -> None:
    assert "Beside people" not in page(researcher, corpus)
    assert researcher.get(address(corpus, "people.svg")).status_code == 404


def test_verdicts_are_compared_over_common_metrics() -> None:
    ours = {"bleu": 0.5, "gleu": 0.9, "sari": -0.5, "m2": None, "errant": 0.2}
    theirs = {"bleu": 0.4, "gleu": 0.6, "sari": 0.5, "m2": 0.7, "comet": 0.8}
    compared = compared_with_people(ours, theirs)
    assert set(compared.metrics) == {"bleu", "gleu", "sari"}
    assert compared.spearman == pytest.approx(0.5)
    assert compared_with_people(ours, {"bleu": 0.4}).reason == (
        "MAEGE and people judge fewer than three metrics in common"
    )
    assert compared_with_people(ours, dict.fromkeys(theirs, 0.4)).spearman is None


class TestLattice:
    """The picture of one lattice."""

    def address(self, corpus: Corpus, path: str = "") -> str:
        return f"{corpus.get_absolute_url()}analyses/lattice/{path}"

    @pytest.mark.any_database
    def test_the_page_shows_each_correction_with_its_scores(self, researcher: Client, corpus: Corpus) -> None:
        text = researcher.get(self.address(corpus)).content.decode()
        assert "Sentence 1, edits of annotator 0." in text
        assert "steps to a better text" in text
        assert "<ins>x</ins>" in text
        assert "<ins>y</ins>" in text
        assert "./?sentence=1&amp;annotator=1" in text

    @pytest.mark.any_database
    def test_figure_and_files(self, researcher: Client, corpus: Corpus) -> None:
        figure = researcher.get(self.address(corpus, "lattice.svg"))
        words = {each.text for each in ET.fromstring(figure.content).iter() if each.text}  # noqa: S314
        assert {"A", "D", "MinLD", "edits"} <= words
        lines = researcher.get(self.address(corpus, "lattice.csv")).getvalue().decode().splitlines()
        assert lines[0] == "node,edits,text,bleu,ibleu,gleu,minld,max-sari,sari,ld-source,signature"
        assert [line.split(",")[:3] for line in lines[1:]] == [
            ["A", "0", "a b c d"],
            ["B", "1", "x b c d"],
            ["C", "1", "a b y"],
            ["D", "2", "x b y"],
        ]
        latex = researcher.get(self.address(corpus, "lattice.tex")).getvalue().decode()
        assert latex.count("\\\\") == 5
        assert researcher.get(self.address(corpus, "lattice.csv?sentence=2")).status_code == 404

    @pytest.mark.any_database
    @pytest.mark.parametrize(
        ("parameters", "fault"),
        [
            ({"sentence": 2}, "sentence 2 has no lattice"),
            ({"annotator": "9"}, "no edits by annotator '9'"),
            ({"metric": "blue"}, "there is no metric 'blue'"),
        ],
    )
    def test_missing_results_are_explained(
        self, corpus: Corpus, parameters: dict[str, Any], fault: str
    ) -> None:
        with pytest.raises(ParameterError, match=fault):
            in_this_process(request_of(LATTICE, corpus, LatticeParameters(**parameters)), NoProgress())

    def test_large_lattices_are_refused(self) -> None:
        edits = tuple(edit(place, place + 1, "x", "R:NOUN") for place in range(6))
        reference = Reference("0", "x x x x x x", edits)
        large = small_corpus("large", sentences=[sentence("a b c d e f", references=[reference])])
        with pytest.raises(ParameterError, match="sentence 1 has 6 edits; lattices of up to 5"):
            in_this_process(request_of(LATTICE, large, LatticeParameters(sentence=1)), NoProgress())


class Kept(dict[int, Any]):
    """Parts that come back as the database would give them."""

    def __setitem__(self, number: int, part: Any) -> None:
        super().__setitem__(number, from_json(MaegePart, json.loads(json.dumps(to_json(part)))))


def asked(corpus: Corpus, **parameters: Any) -> Request:
    return request_of(MAEGE, corpus, MaegeParameters(**parameters))


def result_of(request: Request, parts: Any) -> Any:
    inputs = source_of(MAEGE).load(request, 2, NoProgress(), at_once=False)
    return to_json(computed(MAEGE, inputs, request.parameters, NoProgress(), parts))


def test_parts_that_were_stored_change_no_number() -> None:
    request = asked(corpus_with_lattices(), metric="bleu, gleu, sari", seeds=3)
    parts = Kept()
    whole = result_of(request, {})
    assert result_of(request, parts) == whole
    assert len(parts) == 3 * 3 + 1
    for lost in (0, 4, 9):
        del parts[lost]
    assert result_of(request, parts) == whole


def test_a_worker_that_died_costs_one_seed_of_one_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    request = asked(corpus_with_lattices(), metric="bleu, gleu", seeds=2)
    expected = result_of(request, {})
    compute_anew(request, asked_by=None)
    run = Run.objects.get()
    scores = Prepared.scores
    done: list[tuple[str, int]] = []

    def dying(self: Prepared, metric: str, seed: int, work: Work) -> SeedScores:
        if len(done) == 3:
            done.clear()
            raise KeyboardInterrupt
        done.append((metric, seed))
        return scores(self, metric, seed, work)

    monkeypatch.setattr(Prepared, "scores", dying)
    inputs = source_of(MAEGE).load(request, 2, NoProgress(), at_once=False)
    with pytest.raises(KeyboardInterrupt):
        result_of(request, StoredParts(run, inputs.digest, MaegePart))
    assert RunPart.objects.count() == 3
    assert result_of(request, StoredParts(run, inputs.digest, MaegePart)) == expected
    assert done == [("gleu", 1)]


def test_a_job_is_cancelled_between_two_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "REPORT_EVERY_SECONDS", 0)
    corpus = corpus_with_lattices()
    job = compute_anew(asked(corpus, metric="bleu", seeds=50), asked_by=None)
    scores = Prepared.scores
    scored: list[int] = []

    def noted(self: Prepared, metric: str, seed: int, work: Work) -> SeedScores:
        scored.append(seed)
        if seed == 2:
            cancel(job)
        return scores(self, metric, seed, work)

    monkeypatch.setattr(Prepared, "scores", noted)
    assert after_working(job).state == "cancelled"
    assert scored == [0, 1, 2]
    assert current(asked(corpus, metric="bleu", seeds=50), asked_by=None).result is None


def test_reports_come_often() -> None:
    """A report is where a job can be cancelled: one after each `PAIRS_AT_ONCE` pairs at the latest."""
    corpus = corpus_of(*[(9, 9)] * 30)
    texts = Texts(corpus)
    told: list[int] = []
    scorer = PairScorer(metric_from_text("minld"), corpus, texts)
    drawn = draw(corpus, texts, 0, Source.UNIFORM)
    seed_scores(scorer, corpus, drawn, MaegeParameters(), Work(20, told.append))
    assert len(told) >= scorer.scored / PAIRS_AT_ONCE
    assert sum(told) <= 20
