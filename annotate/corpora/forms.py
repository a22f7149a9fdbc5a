"""Forms of the corpus page."""

from collections.abc import Collection, Sequence

from django import forms
from django.http import QueryDict

from annotate.corpora.edit_filter import NO_SYSTEM, Outcome, edit_filter
from annotate.models import Corpus, EditLabels, System, SystemRole
from annotate.web.filters import MAX_NUMBER
from metrics.edits.errant_types import OPERATIONS, TYPES, in_words, operation

MOST_DOCUMENTS = 200
"""Maximum number of documents to offer as choices; with more, the name is typed."""

MOST_ANNOTATORS = 200
"""Maximum number of annotators of references to offer as choices; with more, the name is typed."""


ADDED_IN_WORDS = {
    SystemRole.SOURCE: "The unchanged source, as system INPUT unless a system is identical to it",
    SystemRole.REFERENCE: "One reference per sentence, drawn at random, as system REFERENCE",
}


class SentenceFilter(forms.Form):
    """Selects the sentences of a corpus to show."""

    sentence = forms.IntegerField(required=False, min_value=0, max_value=MAX_NUMBER)
    containing = forms.CharField(required=False, max_length=200, label="Words")
    distinct = forms.IntegerField(required=False, min_value=0, max_value=500, label="Distinct outputs")

    def __init__(
        self,
        corpus: Corpus,
        systems: Sequence[System],
        labels: EditLabels | None,
        sent: QueryDict | None,
    ) -> None:
        super().__init__(sent)
        documents = (
            corpus.sentences.exclude(document="").order_by("document").values_list("document", flat=True)
        )
        names = list(documents.distinct()[: MOST_DOCUMENTS + 1])
        if len(names) > MOST_DOCUMENTS:
            self.fields["document"] = forms.CharField(required=False, max_length=200)
        elif names:
            choices = [("", "all"), *((name, name) for name in names)]
            self.fields["document"] = forms.ChoiceField(required=False, choices=choices)
        if labels is not None:
            self._add_edits(systems, labels)

    def clean(self) -> dict[str, object]:
        """Require a system for missed edits."""
        if edit_filter(self.cleaned_data).lacks_a_system:
            self.add_error("system", NO_SYSTEM)
        return self.cleaned_data

    def _add_edits(self, systems: Sequence[System], labels: EditLabels) -> None:
        names = [(system.name, system.shown) for system in systems]
        self.fields["type"] = forms.ChoiceField(
            required=False, label="Edit type", choices=[("", "all"), *_types(labels)]
        )
        self.fields["system"] = forms.ChoiceField(required=False, choices=[("", "any"), *names])
        self.fields["outcome"] = forms.ChoiceField(
            required=False, label="Edit is", choices=[("", "any"), *Outcome.choices]
        )
        if len(labels.annotators) > MOST_ANNOTATORS:
            self.fields["annotator"] = forms.CharField(required=False, max_length=200, label="Reference")
        elif len(labels.annotators) > 1:
            annotators = [(name, name) for name in labels.annotators]
            self.fields["annotator"] = forms.ChoiceField(
                required=False, label="Reference", choices=[("", "all"), *annotators]
            )


def _types(labels: EditLabels) -> list[tuple[str, list[tuple[str, str]]]]:
    """The types that occur, grouped by operation."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for kind in TYPES:
        if kind in labels.types:
            group = OPERATIONS.get(operation(kind), "other").capitalize()
            groups.setdefault(group, []).append((kind, f"{kind} {in_words(kind)}"))
    return list(groups.items())


class ControlsForm(forms.Form):
    """The systems to add together with controls."""

    additions = forms.MultipleChoiceField(
        required=False, label="Also add", widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, missing: Collection[str], sent: QueryDict | None = None) -> None:
        super().__init__(sent, label_suffix="")
        choices = [(str(role), words) for role, words in ADDED_IN_WORDS.items() if role in missing]
        if choices:
            self.fields["additions"].choices = choices  # type: ignore[attr-defined]
        else:
            del self.fields["additions"]
