"""Forms of the pages of references."""

from django import forms

from annotate.models import Campaign, Corpus
from annotate.models.corpora import validate_heading
from annotate.references.queueing import AS_REFERENCES, AS_SYSTEM
from formats import MAX_NAME_CHARS
from formats.naming import is_identifier

MOST_OUTPUTS = 10_000


class ValidityForm(forms.Form):
    """A draft about outputs that no reference contains."""

    name = forms.CharField(
        label="Name of the campaign", max_length=MAX_NAME_CHARS, validators=[validate_heading]
    )
    most = forms.IntegerField(
        label="Outputs",
        min_value=1,
        max_value=MOST_OUTPUTS,
        initial=200,
        help_text="Those of most systems first.",
    )
    annotators = forms.IntegerField(
        label="People per output",
        min_value=1,
        max_value=100,
        initial=3,
        help_text="An odd number avoids ties.",
    )

    def __init__(self, corpus: Corpus, data: object = None) -> None:
        super().__init__(data, label_suffix="", initial={"name": f"{corpus.name}: validity"})  # type: ignore[arg-type]

    def clean_name(self) -> str:
        """The name, which no other campaign has."""
        name = str(self.cleaned_data["name"])
        if Campaign.objects.filter(name=name).exists():
            raise forms.ValidationError("Another campaign has this name.")
        return name


class MakeForm(forms.Form):
    """Whether the corrections of a campaign become references or a system."""

    what = forms.ChoiceField(
        label="Make",
        choices=[
            (AS_REFERENCES, "References: every correction, under the pseudonym of its annotator"),
            (AS_SYSTEM, "A system: the most frequent correction of each sentence"),
        ],
        initial=AS_REFERENCES,
        widget=forms.RadioSelect,
    )
    name = forms.CharField(
        label="Name of the system",
        max_length=MAX_NAME_CHARS,
        required=False,
        initial="CORRECTIONS",
        help_text="Letters, digits, dots, hyphens and underscores.",
    )

    def clean(self) -> dict[str, object]:
        """A system needs a name."""
        cleaned = dict(super().clean() or {})
        if cleaned.get("what") == AS_SYSTEM and not is_identifier(str(cleaned.get("name", ""))):
            self.add_error("name", "Enter letters, digits, dots, hyphens and underscores only.")
        return cleaned
