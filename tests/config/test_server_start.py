"""The web server loads only what judging needs, so that it is back soon after being killed."""

import json
import os
import subprocess
import sys
from http.cookies import SimpleCookie

import pytest
from django.conf import settings
from django.test import Client

from annotate.judging.entering import add_annotator, mint_personal_link
from tests.annotate.running import running
from tests.jobs.workers import database_url

HEAVY = {"altair", "errant", "numba", "pandas", "pyarrow", "rest_framework", "scipy", "spacy", "vl_convert"}

PROGRAM = """
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

path, cookies = sys.argv[1:]
secret = "a" * 32
headers = {"HTTP_COOKIE": f"{cookies}; csrftoken={secret}", "HTTP_X_CSRFTOKEN": secret}
loaded_by_start = sorted({name.partition(".")[0] for name in sys.modules})
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
    "loaded": sorted({name.partition(".")[0] for name in sys.modules}),
}))
"""


@pytest.mark.any_database
@pytest.mark.django_db(transaction=True)
def test_a_screen_and_an_answer_load_no_library_of_the_analyses() -> None:
    campaign = running(items=4)
    browser = Client()
    browser.post(f"/join/{mint_personal_link(add_annotator(campaign, name='ada'))}/")
    cookies = SimpleCookie({name: morsel.value for name, morsel in browser.cookies.items()})
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, f"/judge/{campaign.uuid}/", cookies.output(header="", sep=";")],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "tests.settings"},
        stdout=subprocess.PIPE,
        check=True,
    )
    seen = json.loads(run.stdout)
    assert seen["statuses"] == ["200 OK", "200 OK"]
    assert seen["next"]
    assert not HEAVY.intersection(seen["loaded by start"])
    assert not HEAVY.intersection(seen["loaded"])
