"""Every analysis that declares its page: page, files, API, command and stored result say the same."""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.utils.html import escape
from pytest_django import DjangoDbBlocker

from analysis.analyses.base import AnyAnalysis, analyses
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.results.registered_pages import address_of, pages
from analysis.results.shared_files import naming_of
from analysis.runs.computing import computed
from analysis.runs.parts import Parts
from analysis.runs.requests import request_of
from analysis.runs.results import from_json, to_json, to_plain_json
from analysis.runs.sources import Subject, source_of
from annotate.models import Campaign, Role
from annotate.models import System as StoredSystem
from annotate.web.parameter_forms import query_of
from core.columns import System
from core.names import Naming
from core.progress import NoProgress
from core.results import Computed
from core.tables import FilledTable
from formats import Reference
from tests.analysis.campaigns_of_edits import campaign_of_edits
from tests.analysis.campaigns_on_scales import campaign_on_scales
from tests.analysis.campaigns_with_error_spans import campaign_with_error_spans
from tests.analysis.described import edit
from tests.analysis.machine_campaigns import campaign_with_machines, corpus_for_machines
from tests.analysis.references.collected_references import grown_corpus
from tests.analysis.scored_campaigns import JUDGES, METRICS, edited_campaign, result_of, upload_scores
from tests.analysis.stored import KeptParts
from tests.annotate.api.asking import ask, problem_of, program
from tests.annotate.references.answers import correcting_campaign
from tests.annotate.running import running
from tests.annotate.samples import SYSTEMS, campaign_without_texts, ranking, small_corpus
from tests.annotate.scores.scoring import EDITED, scored

pytestmark = pytest.mark.any_database

DECLARED = sorted(
    name
    for name, each in analyses().items()
    if each.headline and not each.parameters.__module__.startswith("tests.")
)
QUICK = {"replicates": 100, "permutations": 100, "draws": 1, "seeds": 2, "folds": 3, "splits": 2}
"""Parameters that make tests fast, for analyses that have them."""

OWN: Mapping[str, dict[str, Any]] = {
    "metric-sweep": {"low": 1.0, "high": 3.0, "step": 1.0},
    "metric-windows": {"size": 3},
    "stress": {"metric": "gleu,m2"},
}
"""Further ones, by analysis."""

LABEL = "Alder & <u>co</u>"
"""Label of a system on pages and paper; files have names."""

SECOND = (
    Reference("1", "She went home .", (edit(1, 2, "went", "R:VERB:TENSE"),)),
    Reference("1", "I had two cats .", (edit(1, 2, "had", "R:VERB:TENSE"), edit(3, 4, "cats", "R:NOUN:NUM"))),
    Reference("1", "It is fine .", ()),
)
"""A second reference for each sentence of `EDITED`."""

HEADINGS = Path(__file__).with_name("headings.txt").read_text().splitlines()
"""Signatures of analyses, and columns of tables in CSV and LaTeX: others rely on them."""


SAID: Mapping[str, Sequence[str]] = {
    "conservatism": ("clearly changes more words than", "Edits by type"),
    "coverage": (
        "Another person’s correction would equal a single reference in",
        "The median sentence has 2 references: too few to say",
        "left unchanged, except for case and punctuation (2).",
    ),
    "human-performance": ("Each person is held out in turn and scored against the other annotator;",),
    "judge-model": ("after allowing for annotators and style", "Effect of style"),
    "maege": (
        "follow the order almost by construction",
        "2 of 3 sentences, 4 chains with 9 corrections and 6 comparable pairs, drawn 2 times",
        "the only references are the fully corrected texts",
        "Beside the published figures",
        "0.564",
    ),
    "ranking-with-machine": (
        "People judged 40 sentences (40 judgments), Machine 1 (gpt-4o 2024-08-06) these and 40 others.",
        "correlate with people’s by 0.",
        "Ranks hold for all systems at once.",
    ),
    "oracle-reranking": (
        "Picked by GLEU against 2 references, the best candidates do not clearly change more or fewer",
    ),
    "perfect-corrector": (
        "Against 1 reference, another person’s corrections would score",
        "Left out: 1 sentence that 44 % or more of their annotators (one of two is enough) left unchanged",
        "The median sentence has 2 references",
    ),
    "stress": (
        "Fluent sentences about something else",
        "Without a single edit, precision is 1.000.",
        "Faults of each metric",
    ),
}
"""Texts that pages contain beside the texts checked of every page."""

NOTHING = {
    "agreement-by-document": "Import the corpus with documents",
    "answers-per-hour": "Nobody has answered yet",
    "by-domain": "Import the corpus with domains",
    "compare-systems": "No two systems have been compared yet",
    "corrections": "No corrections are written in this campaign",
    "corrections-coverage": "No corrections are written in this campaign",
    "edits": "There are no verdicts on edits",
    "machine-judges": "Nothing has been judged in this campaign yet",
    "quality": "Nobody has answered yet",
    "rejected-edits": "There are no rejected edits",
    "weighted-edits": "Nobody has judged an edit yet",
    "ranking": "there is nothing to rank here",
    "ranking-with-machine": "No machine has judged here",
    "error-spans": "There are no marked errors",
    "scales": "There are no points on scales",
    "valid-outputs": "Nobody is asked in this campaign whether outputs are valid",
    "validity": "There are no verdicts on outputs",
}
"""Texts of pages before the first answer, where they differ from the usual ones."""

FIGURES = {
    "coverage/coverage": "sentences with an equal reference",
    "maege/correlations": "Spearman’s ρ, corpora",
    "maege/types": "R:VERB:SVA (2)",
}
"""Words of figures."""


@pytest.fixture(scope="module")
def subjects(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mapping[str, Subject]]:
    """A corpus, a campaign of it, and those that only some analyses are about."""
    with django_db_blocker.unblock(), transaction.atomic():
        sentences = [
            replace(each, references=(*each.references, second), domain=domain)
            for each, second, domain in zip(EDITED, SECOND, ("email", "email", "<u>"), strict=True)
        ]
        corpus = small_corpus("whole", sentences=sentences)
        scored(corpus, *METRICS)
        scores = (
            *(f"of systems,{system},,{number}" for number, system in enumerate(SYSTEMS)),
            *(f"partly,{system},{number},0.5" for system in SYSTEMS for number in (0, 1)),
        )
        upload_scores(corpus, tmp_path_factory.mktemp("scores"), *scores)
        judged, grown = edited_campaign(corpus), grown_corpus()
        by_machines = campaign_with_machines(corpus_for_machines())
        StoredSystem.objects.filter(name="Alder").update(label=LABEL)
        asked, written = Campaign.objects.get(name="grown by"), correcting_campaign(grown)
        yield {
            "corpus": corpus,
            "judged": judged,
            "grown": grown,
            "asked": asked,
            "written": written,
            "with machines": by_machines,
            "on scales": campaign_on_scales(corpus),
            "of edits": campaign_of_edits(corpus),
            "with error spans": campaign_with_error_spans(corpus),
        }
        transaction.set_rollback(True)


SUBJECTS = {
    "edits": "of edits",
    "rejected-edits": "of edits",
    "weighted-edits": "of edits",
    "ranking-with-machine": "with machines",
    "error-spans": "with error spans",
    "scales": "on scales",
    "validity": "asked",
    "valid-outputs": "asked",
    "grown-references": "grown",
    "corrections": "written",
    "corrections-coverage": "written",
}
"""Subjects of analyses that need one of their own; others are about the corpus or the campaign."""


@dataclass(frozen=True)
class Case:
    """An analysis with its result and where it is shown."""

    analysis: AnyAnalysis
    subject: Subject
    computed: Computed

    @property
    def page(self) -> str:
        """The address of its page."""
        return f"{address_of(self.subject, pages()[self.analysis.name])}?{self.query}"

    @property
    def query(self) -> str:
        return query_of(self.computed.parameters)

    def file(self, name: str) -> str:
        """The address of a file."""
        return f"{self.subject.get_absolute_url()}analyses/{self.analysis.name}/{name}"

    @property
    def program(self) -> str:
        """The address for programs."""
        return f"{self.subject.get_absolute_url().lstrip('/')}analyses/{self.analysis.name}/?{self.query}"

    @property
    def naming(self) -> Naming:
        return naming_of(self.subject)

    @property
    def tables(self) -> dict[str, FilledTable]:
        return self.analysis.filled_tables(self.computed, self.naming)


def quick(analysis: AnyAnalysis) -> dict[str, Any]:
    known = {name: value for name, value in QUICK.items() if hasattr(analysis.parameters(), name)}
    return known | OWN.get(analysis.name, {})


@pytest.fixture(scope="module", params=DECLARED)
def computed_case(
    request: pytest.FixtureRequest, subjects: Mapping[str, Subject], django_db_blocker: DjangoDbBlocker
) -> Case:
    """Each analysis, computed once for all tests here."""
    analysis = analyses()[request.param]
    of = "judged" if source_of(analysis).subject is Campaign else "corpus"
    subject = subjects[SUBJECTS.get(analysis.name, of)]
    known = quick(analysis)
    with django_db_blocker.unblock():
        asked = request_of(analysis, subject, analysis.parameters(**known))
        result = result_of(analysis, subject, asked.parameters)
        beside = None
        if analysis.beside:
            other = analyses()[analysis.beside]
            beside = result_of(other, subject, analysis.parameters_beside(asked.parameters))
        return Case(analysis, subject, analysis.shown(asked.parameters, result, beside=beside))


@pytest.fixture
def case(computed_case: Case, db: None) -> Case:
    return computed_case


@pytest.fixture
def reader(case: Case, admin: Client, researcher: Client) -> Client:
    return admin if case.analysis.is_for_admins else researcher


def text_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.getvalue().decode()


def words_of(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


def names_nobody(text: str) -> bool:
    return not any(name in text for name in JUDGES)


def test_each_analysis_answers_a_question_of_its_own() -> None:
    questions = [
        each.question for each in analyses().values() if not each.parameters.__module__.startswith("tests.")
    ]
    assert all(re.fullmatch(r"[A-Z][^.?]{7,72}\?", question) for question in questions)
    assert len(set(questions)) == len(questions)


def test_the_page_shows_the_finding_tables_files_and_signature(case: Case, reader: Client) -> None:
    html = text_of(reader, case.page).partition("<main")[2]
    shown = words_of(html)
    assert all(words in shown for words in SAID.get(case.analysis.name, ()))
    assert "<u>" not in html
    assert not re.search(r"\bnan\b", shown, re.IGNORECASE)
    assert names_nobody(html) != case.analysis.is_for_admins
    assert f"<code>{case.computed.result.signature}</code>" in html
    if case.analysis.name in ("ranking", "agreement"):
        return  # Their common page has its own tables; see `test_ranking_page`.
    for name, ending in case.analysis.parts():
        if ending == "csv" or case.analysis.figures[name].has_content(case.computed):
            assert case.file(f"{name}.{ending}") in html, name
    assert case.analysis.headline is not None
    finding = " ".join(case.analysis.headline(case.computed, case.naming).split())
    assert f"<h1>{escape(finding)} </h1>" in " ".join(html.split())
    assert not finding.endswith(".")
    for name, table in case.tables.items():
        page = table.page()
        if page.rows:
            drawn = html.partition(f'<caption class="unseen">{escape(page.caption)}</caption>')[2]
            body = drawn.partition("<tbody>")[2].partition("</tbody>")[0]
            for row, line in zip(page.rows, body.split("<tr>")[1:], strict=True):
                plain = [" ".join(cell.text.split()) for cell in row if not cell.column.cell]
                assert all(text in words_of(line) for text in plain), name


def test_files_hold_the_rows_with_their_signature(case: Case, reader: Client) -> None:
    stated = re.sub(r":[0-9a-f]{16}|-[\d.]+-spacy-[\d.]+|\|assay:.*", "", case.computed.result.signature)
    seen = [f"signature: {stated}"]
    for name, table in case.tables.items():
        if not table.table.in_files:
            continue
        csv_text, latex, json_text = (
            text_of(reader, f"{case.file(name)}.{ending}?{case.query}") for ending in ("csv", "tex", "json")
        )
        header, *rows = csv.reader(StringIO(csv_text))
        told = json.loads(json_text)
        heading = next(iter(re.findall(r"^(.*) \\\\$", latex, re.MULTILINE)), "")
        seen.append(f"{name}: {','.join(header)} | {heading}".strip())
        assert told["signature"] == table.signature
        assert f"% {table.signature}" in latex
        assert {row[-1] for row in rows} <= {table.signature}
        assert len(rows) == len(told["rows"])
        for row, record in zip(rows, told["rows"], strict=True):
            assert [*record] == header[:-1]
            for cell, value in zip(row, record.values(), strict=False):
                assert isinstance(value, list | str | bool) or cell == ("" if value is None else str(value))
        assert latex.count(" \\\\\n") == 1 + len(list(table.table.rows(table.computed)))
        assert names_nobody(csv_text + latex)
        assert LABEL not in csv_text
        assert "<u>" not in latex
        of_systems = any(isinstance(each, System) for each in table.table.columns_of(case.computed))
        assert not (of_systems and "Alder &" in latex), "systems have their labels"
    assert [f"{case.analysis.name}/{each}" for each in seen] == [
        line for line in HEADINGS if line.startswith(f"{case.analysis.name}/")
    ]


def test_figures_are_drawn_of_the_result(case: Case, reader: Client) -> None:
    for name, figure in case.analysis.figures.items():
        address = f"{case.file(name)}.svg?{case.query}"
        if not figure.has_content(case.computed):
            assert reader.get(address).status_code == 404
            continue
        drawn = text_of(reader, address)
        assert len(re.findall(r"</text>", drawn)) > 3
        assert FIGURES.get(f"{case.analysis.name}/{name}", "") in words_of(drawn)
        assert names_nobody(drawn)
        assert "<u>" not in drawn


def test_what_is_not_there_is_404(case: Case, reader: Client) -> None:
    for name, _ in case.analysis.parts()[:1]:
        for missing in (f"{name}.xls", f"{name}.bmp", "nothing.csv", "nothing.svg"):
            assert reader.get(f"{case.file(missing)}?{case.query}").status_code == 404
        for choice in case.analysis.choices:
            for part, ending in case.analysis.parts():
                address = f"{case.file(part)}.{ending}?{case.query}&{choice}=none-such"
                assert reader.get(address).status_code == 404
        assert reader.get(f"{case.file(name)}.csv?no-such=1").status_code == 400


def test_programs_and_the_command_get_the_stored_result(
    case: Case, capsys: pytest.CaptureFixture[str]
) -> None:
    result, expected = case.computed.result, to_plain_json(case.computed.result)
    assert to_json(from_json(case.analysis.result, json.loads(json.dumps(to_json(result))))) == to_json(
        result
    )
    role = Role.ADMIN if case.analysis.is_for_admins else Role.RESEARCHER
    told = ask(program(role), case.program)
    assert told["result"] == json.loads(json.dumps(expected))
    assert told["signature"] == result.signature
    options = [word for name, value in quick(case.analysis).items() for word in (f"--{name}", str(value))]
    command = ("analyse", case.analysis.name, case.subject.name, *options)
    call_command(*command, "--json")
    assert json.loads(capsys.readouterr().out) == told["result"]
    call_command(*command)
    printed = " ".join(re.sub("[│┃━─┏┓┡┩└┘┴┬┳╇]", " ", capsys.readouterr().out).split())
    assert f"Signature {result.signature[:20]}" in printed
    tables = case.analysis.filled_tables(case.computed, Naming("", {}, {}, {}, by_key=True)).values()
    captions = [page.caption for table in tables if (page := table.page()).rows]
    assert len(captions) < 2 or all(caption in printed for caption in captions)


def test_nobody_else_sees_it(case: Case, annotator: Client, client: Client) -> None:
    [(part, ending), *_] = case.analysis.parts() or [("nothing", "csv")]
    for address in (case.page, f"{case.file(part)}.{ending}?{case.query}"):
        assert annotator.get(address).status_code == 403
        assert client.get(address).status_code == 302
    assert annotator.post(f"{case.file('compute/')}").status_code == 403
    problem_of(program(Role.ANNOTATOR).get(f"/api/v1/{case.program}"), 403)
    problem_of(client.get(f"/api/v1/{case.program}"), 401)


@pytest.mark.parametrize(
    "computed_case", [name for name in DECLARED if analyses()[name].chunks], indirect=True, scope="module"
)
def test_parts_that_were_stored_change_no_number(case: Case) -> None:
    analysis, parameters = case.analysis, case.computed.parameters
    assert analysis.chunks is not None
    asked = request_of(analysis, case.subject, parameters)
    inputs = source_of(analysis).load(asked, 3, NoProgress(), at_once=True)

    def result(parts: Parts) -> Any:
        return to_json(computed(analysis, inputs, parameters, NoProgress(), parts))

    whole, parts = result(Parts()), KeptParts(analysis.chunks.part)
    assert result(parts) == whole
    assert len(parts) == len(analysis.chunks.sizes(parameters))
    for lost in [*parts][::2]:
        del parts[lost]
    assert result(parts) == whole


@pytest.mark.django_db
def test_before_the_first_answer_every_page_says_so(admin: Client) -> None:
    campaign = running()
    for name in DECLARED:
        if source_of(analyses()[name]).subject is Campaign:
            shown = words_of(text_of(admin, address_of(campaign, pages()[name])))
            unscored = issubclass(analyses()[name].inputs, ScoredJudgments)
            expected = "has no metric scores yet" if unscored else "The page fills with the first judgment"
            assert NOTHING.get(name, expected) in shown, name


FEW = {
    "a skip": [ranking("anna", 0, "")],
    "one system": [ranking("anna", 0, "Alder")],
    "one output": [ranking("anna", 0, "Alder Birch")],
    "a tie": [ranking("anna", 0, "Alder = Birch")],
    "one judgment": [ranking("anna", 0, "Alder > Birch")],
    "always the same": [ranking("anna", number, "Alder > Birch") for number in range(3)],
}


@pytest.mark.django_db
@pytest.mark.parametrize("few", FEW)
def test_a_page_opens_however_little_was_judged(researcher: Client, few: str) -> None:
    campaign = campaign_without_texts(rankings=FEW[few])
    for name in ("fragility", "stopping", "judge-model"):
        analysis = analyses()[name]
        result = result_of(analysis, campaign)
        assert to_json(from_json(analysis.result, to_json(result))) == to_json(result)
        assert "nan" not in text_of(researcher, address_of(campaign, pages()[name])).partition("<main")[2]
