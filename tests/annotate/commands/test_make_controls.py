import pytest
from django.core.management import CommandError, call_command

from annotate.corpora.queries import texts
from annotate.models import Corpus
from formats.records import SentenceRecord
from tests.annotate.samples import small_corpus

pytestmark = pytest.mark.django_db


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    call_command("make_controls", *arguments)
    return capsys.readouterr().out


def test_it_reports_the_added_controls(capsys: pytest.CaptureFixture[str]) -> None:
    small_corpus()
    added = "Added: REFERENCE, SOURCE+ERROR.\n"
    assert said(capsys, "small", "--seed", "3", "--with", "source", "reference") == added
    assert said(capsys, "small") == "Everything was already there; nothing changed.\n"


def test_the_seed_can_be_chosen() -> None:
    source = "She has lived in this city for ten years , but she does not like the weather ."
    roomy = SentenceRecord(source, {"INPUT": source}, (), "", "")
    for name, seed in (("one", "1"), ("two", "2")):
        small_corpus(name, sentences=[roomy])
        call_command("make_controls", name, "--seed", seed, verbosity=0)
    one, two = (
        [outputs["SOURCE+ERROR"] for outputs in texts(Corpus.objects.get(name=name)).values()]
        for name in ("one", "two")
    )
    assert one != two


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["larger"], "There is no corpus 'larger'. Corpora are: small."),
        (["small", "--seed", "-1"], "The seed must be 0 or more."),
        (["small", "--with", "system"], "invalid choice: 'system'"),
    ],
)
def test_a_wrong_call_is_one_line(arguments: list[str], why: str) -> None:
    small_corpus()
    with pytest.raises(CommandError) as refusal:
        call_command("make_controls", *arguments)
    assert why in str(refusal.value)
