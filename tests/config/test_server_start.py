"""The web server loads only what its pages need: it is back soon after being killed, and stays small."""

import json
import os
import subprocess
import sys
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from analysis.models import COMPUTED, Run
from annotate.judging.entering import add_annotator, mint_personal_link
from tests.annotate.running import answer_all, cast, running
from tests.jobs.workers import database_url

HEAVY = {"altair", "errant", "numba", "pandas", "pyarrow", "rest_framework", "scipy", "spacy", "vl_convert"}
SCIENTIFIC = HEAVY - {"rest_framework", "scipy"} | {"scipy.optimize", "scipy.sparse", "scipy.stats"}
"""Pages compute flags of annotators by SciPy's special functions, which are small."""

ASKING = """
import io, json, re, sys
from wsgiref.util import setup_testing_defaults

from config.wsgi import application

def ask(method, path, body=b"", **headers):
    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "wsgi.input": io.BytesIO(body), **headers}
    environ |= {"CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": "application/x-www-form-urlencoded"}
    setup_testing_defaults(environ)
    statuses = []
    page = b"".join(application(environ, lambda status, headers: statuses.append(status))).decode()
    return statuses[0], page

def loaded():
    return sorted({".".join(name.split(".")[:depth]) for name in sys.modules for depth in (1, 2)})
"""

JUDGING = """
path, cookies = sys.argv[1:]
secret = "a" * 32
headers = {"HTTP_COOKIE": f"{cookies}; csrftoken={secret}", "HTTP_X_CSRFTOKEN": secret}
loaded_by_start = loaded()
status, page = ask("GET", path, **headers)
showing = re.search('data-showing="([^"]+)"', page)[1]
names = sorted(set(re.findall(r'name="(rank-[0-9]+)"', page)))
fields = "&".join(["key=00000000-0000-4000-8000-000000000001", *(f"{name}=1" for name in names)])
answered, words = ask(
    "POST", f"{path}{showing}/", fields.encode(), HTTP_ACCEPT="application/json", **headers
)
print(json.dumps({
    "statuses": [status, answered],
    "next": "screen" in json.loads(words),
    "loaded by start": loaded_by_start,
    "loaded": loaded(),
}))
"""

READING = """
cookies, *paths = sys.argv[1:]
answers = {path: ask("GET", path, HTTP_COOKIE=cookies)[0] for path in paths}
print(json.dumps({"answers": answers, "loaded": loaded()}))
"""


WARMING_UP = """
from config.warm_up import warm_up

warm_up()
print(json.dumps(loaded()))
"""


def test_an_idle_worker_loads_every_page_and_no_library_of_the_analyses() -> None:
    seen = run_afresh(WARMING_UP)
    assert {"analysis.pages", "annotate.campaigns", "rest_framework"} <= set(seen)
    assert not SCIENTIFIC.intersection(seen)


@pytest.mark.any_database
@pytest.mark.django_db(transaction=True)
def test_a_screen_and_an_answer_load_no_library_of_the_analyses() -> None:
    campaign = running(items=4)
    browser = Client()
    browser.post(f"/join/{mint_personal_link(add_annotator(campaign, name='ada'))}/")
    seen = run_afresh(JUDGING, f"/judge/{campaign.uuid}/", cookies_of(browser))
    assert seen["statuses"] == ["200 OK", "200 OK"]
    assert seen["next"]
    assert not HEAVY.intersection(seen["loaded by start"])
    assert not HEAVY.intersection(seen["loaded"])


@pytest.mark.any_database
@pytest.mark.django_db(transaction=True)
def test_pages_of_stored_results_load_no_library_of_the_analyses(admin: Client) -> None:
    campaign = running(items=6, annotators_per_item=2)
    for annotator in cast(campaign):
        answer_all(annotator)
    about, corpus = f"/campaigns/{campaign.uuid}/", f"/corpora/{campaign.corpus.uuid}/"
    results = [f"{about}{page}/" for page in ("ranking", "quality", "metrics", "analyses/answers-per-hour")]
    for page in results:
        assert admin.get(page).status_code == 200
    assert Run.objects.filter(COMPUTED).count() >= len(results) - 1  # No metric has scores.
    seen = run_afresh(
        READING,
        cookies_of(admin),
        *("/", "/jobs/", "/accounts/", about, corpus, f"{corpus}analyses/", f"{corpus}scores/"),
        *(f"{about}{page}/" for page in ("manage", "analyses", "export", "reports-and-skips", "published")),
        *results,
    )
    assert set(seen["answers"].values()) == {"200 OK"}, seen["answers"]
    assert not SCIENTIFIC.intersection(seen["loaded"])


@pytest.mark.any_database
@pytest.mark.django_db(transaction=True)
def test_the_page_how_many_judgments_loads_no_optimisers(admin: Client) -> None:
    seen = run_afresh(READING, cookies_of(admin), "/how-many-judgments/")
    assert seen["answers"] == {"/how-many-judgments/": "200 OK"}
    assert "pandas" in seen["loaded"]
    assert not {"scipy.optimize", "scipy.stats"}.intersection(seen["loaded"])


def cookies_of(browser: Client) -> str:
    cookies = SimpleCookie({name: morsel.value for name, morsel in browser.cookies.items()})
    return cookies.output(header="", sep=";")


def run_afresh(program: str, *arguments: str) -> Any:
    """The output of the program in a new process that serves the database of this test."""
    run = subprocess.run(
        [sys.executable, "-c", ASKING + program, *arguments],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "tests.settings"},
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(run.stdout)
