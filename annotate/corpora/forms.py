"""Forms of the corpus page."""

from collections.abc import Collection
from typing import Any

from django import forms

from annotate.models import Corpus, SystemRole
from annotate.web.filters import MAX_NUMBER

MOST_DOCUMENTS = 200
"""Documents of a corpus to choose from; the name of one among more is typed."""


ADDED_IN_WORDS = {
    SystemRole.SOURCE: "The unchanged source, as system INPUT unless a system is identical to it",
    SystemRole.REFERENCE: "One reference a sentence, drawn at random, as system REFERENCE",
}


class SentenceFilter(forms.Form):
    """Which sentences of a corpus to show."""

    sentence = forms.IntegerField(required=False, min_value=0, max_value=MAX_NUMBER)
    containing = forms.CharField(required=False, max_length=200, label="Words")
    distinct = forms.IntegerField(required=False, min_value=0, max_value=500, label="Distinct outputs")

    def __init__(self, corpus: Corpus, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        documents = (
            corpus.sentences.exclude(document="").order_by("document").values_list("document", flat=True)
        )
        names = list(documents.distinct()[: MOST_DOCUMENTS + 1])
        if len(names) > MOST_DOCUMENTS:
            self.fields["document"] = forms.CharField(required=False, max_length=200)
        elif names:
            choices = [("", "all"), *((name, name) for name in names)]
            self.fields["document"] = forms.ChoiceField(required=False, choices=choices)


class ControlsForm(forms.Form):
    """What is to be added to a corpus beside its controls."""

    additions = forms.MultipleChoiceField(
        required=False, label="Add as well", widget=forms.CheckboxSelectMultiple
    )
    seed = forms.IntegerField(min_value=0, max_value=MAX_NUMBER, initial=1)

    def __init__(self, missing: Collection[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        choices = [(str(role), words) for role, words in ADDED_IN_WORDS.items() if role in missing]
        if choices:
            self.fields["additions"].choices = choices  # type: ignore[attr-defined]
        else:
            del self.fields["additions"]
