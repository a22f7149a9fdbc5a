import pytest
from django.core.management import CommandError, call_command

from annotate.corpora import labelling
from annotate.management.commands import label_edits
from annotate.models import EditLabels
from tests.annotate.labelled import ToyExtraction, ToyPipeline
from tests.annotate.samples import small_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def toy_errant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Edits without a parser."""
    monkeypatch.setattr(labelling, "Extraction", ToyExtraction)
    monkeypatch.setattr(label_edits, "english_pipeline", ToyPipeline)


def test_it_says_what_is_labelled_and_how(capsys: pytest.CaptureFixture[str]) -> None:
    small_corpus()
    for _ in range(2):
        call_command("label_edits", "small", "--pipeline", "toy-3")
        said = capsys.readouterr().out
        assert said.startswith("14 edits of 11 outputs and 4 references. gold:extracted|")
        assert "|pipeline:toy-3|" in said


@pytest.mark.parametrize(
    ("name", "why"),
    [("larger", "There is no corpus 'larger'. Corpora are: chinese."), ("chinese", "are not tokenised")],
)
def test_a_wrong_call_is_one_line(name: str, why: str) -> None:
    small_corpus("chinese", language="zh")
    with pytest.raises(CommandError, match=why):
        call_command("label_edits", name)


def test_labels_made_before_an_interruption_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    small_corpus()
    monkeypatch.setattr(labelling, "TEXTS_PER_PIECE", 2)
    store, stored = labelling._store_edits, []

    def store_two_pieces(*arguments: object) -> None:
        store(*arguments)  # type: ignore[arg-type]  # as it is called
        stored.append(1)
        if len(stored) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(labelling, "_store_edits", store_two_pieces)
    with pytest.raises(CommandError, match="labels so far are kept"):
        call_command("label_edits", "small")
    assert EditLabels.objects.get().outputs == 2
