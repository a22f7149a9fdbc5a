"""Pages and commands hold names to the rule of `formats.text.characters`, as readers do."""

import re
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.pages.follow_ups.undecided_pairs import FollowUpForm
from analysis.publishing.views import PublicationForm
from annotate.campaigns.forms import CampaignForm, CloneForm
from annotate.imports.forms import CorpusUpload, JudgmentsUpload
from annotate.models import Campaign, Corpus
from annotate.models.corpora import validate_heading
from annotate.references.forms import ValidityForm
from tests.annotate.imports.steps import parallel

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

HARMFUL = {
    "a\uffff": "the noncharacter U+FFFF",
    "a\u202etxt.exe": "the character U+202E, which changes the writing direction",
    "a\u2028b": "the line separator U+2028",
    "\u200b": "has no visible character",
}


@pytest.mark.parametrize(
    ("form", "field"),
    [
        (CampaignForm, "name"),
        (CloneForm, "name"),
        (CorpusUpload, "name"),
        (FollowUpForm, "name"),
        (JudgmentsUpload, "name"),
        (PublicationForm, "title"),
        (PublicationForm, "authors"),
        (ValidityForm, "name"),
    ],
)
def test_every_form_with_a_name_applies_the_rule(form: type, field: str) -> None:
    assert validate_heading in form.base_fields[field].validators  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "words"), HARMFUL.items())
def test_such_names_are_refused(admin: Client, name: str, words: str) -> None:
    response = admin.post("/imports/corpus/", parallel(name=name))
    assert response.status_code == 422
    assert words in " ".join(response.context["form"].errors["name"])
    with pytest.raises(ValidationError, match=re.escape(words)):
        Corpus(name=name, language="en").clean_fields(exclude=["digest"])
    with pytest.raises(ValidationError, match=re.escape(words)):
        Campaign(name=name).clean_fields(exclude=["corpus", "protocol"])


@pytest.mark.parametrize(("name", "words"), HARMFUL.items())
def test_the_command_refuses_them(tmp_path: Path, name: str, words: str) -> None:
    source = tmp_path / "source.txt"
    source.write_text("One .\n")
    with pytest.raises(CommandError, match=re.escape(words)):
        call_command("import_corpus", name, "--source", str(source))
    assert not Corpus.objects.exists()
