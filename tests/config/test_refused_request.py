"""Requests over a limit, or cut off, are refused in words that name the limit."""

import pytest
from django.conf import LazySettings
from django.test import Client

from jobs.models import Job
from tests.annotate.samples import small_corpus
from tests.annotate.uploading import sent

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

FORMS = ["/imports/corpus/", "/imports/judgments/", "/corpora/{}/scores/upload/"]


@pytest.fixture
def few(settings: LazySettings) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 3
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 5
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2**20


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("form", FORMS)
def test_each_upload_form_names_the_limit(admin: Client, form: str) -> None:
    address = form.format(small_corpus().uuid)
    for sending, words in [
        ({"file": [sent(f"{n}.txt", "x") for n in range(4)]}, "At most 3 files can be sent at once."),
        ({f"field-{n}": "x" for n in range(20)}, "A request can have at most 5 fields"),
        ({"name": "x" * 2**20}, "A form can hold at most 1 MB apart from files"),
    ]:
        response = admin.post(address, sending)
        assert response.status_code == 400
        assert words in response.content.decode()
        assert "Nothing was changed." in response.content.decode()
    assert not Job.objects.exists()


@pytest.mark.usefixtures("few")
def test_the_api_names_the_limit(researcher: Client, settings: LazySettings) -> None:
    address = f"/api/v1/corpora/{small_corpus().uuid}"
    many = "&".join(f"field-{number}=x" for number in range(10))
    problem = researcher.get(f"{address}/sentences/?{many}")
    assert (problem.status_code, problem["Content-Type"]) == (400, "application/problem+json")
    assert problem.json()["detail"].startswith("A request can have at most 5 fields")
    settings.UPLOAD_MAX_MB = 1
    problem = researcher.post(f"{address}/scores/upload/", "x" * 2**20 + "x", content_type="text/csv")
    assert (problem.status_code, problem["Content-Type"]) == (400, "application/problem+json")
    assert problem.json()["errors"] == {"body": ["The body is larger than 1 MB."]}


@pytest.mark.usefixtures("few")
def test_a_script_gets_the_fault(client: Client) -> None:
    many = {f"field-{number}": "" for number in range(10)}
    response = client.post("/login/", many, headers={"Accept": "application/json"})
    assert response.json()["fault"].startswith("A request can have at most 5 fields")


WHOLE = (
    b'--B\r\nContent-Disposition: form-data; name="name"\r\n\r\nletters\r\n'
    b'--B\r\nContent-Disposition: form-data; name="source"; filename="source.txt"\r\n\r\nOne .\nTwo .\n\r\n'
    b'--B\r\nContent-Disposition: form-data; name="systems"; filename="A"\r\n\r\nOne .\nTwo .\n\r\n'
    b"--B--\r\n"
)


def test_a_form_that_was_cut_off_is_refused_at_any_byte(admin: Client) -> None:
    def answer(body: bytes) -> int:
        content_type = "multipart/form-data; boundary=B"
        return admin.generic("POST", "/imports/corpus/", body, content_type=content_type).status_code

    last = WHOLE.rindex(b"--B--") + len(b"--B--")
    assert {answer(WHOLE[:length]) for length in range(1, last)} == {400}
    assert answer(WHOLE[:last]) == answer(WHOLE) == answer(WHOLE + b"epilogue") == 422


def test_a_form_that_was_cut_off_says_so(admin: Client) -> None:
    content_type = "multipart/form-data; boundary=B"
    response = admin.generic("POST", "/imports/corpus/", WHOLE[:-20], content_type=content_type)
    assert "The form arrived incomplete or damaged." in response.content.decode()


def test_a_host_that_is_not_served_is_refused(client: Client) -> None:
    assert client.get("/", headers={"Host": "elsewhere.example"}).status_code == 400
