from typing import Any

from django import forms

from annotate.models import Campaign, Corpus, JudgmentState

MAX_POSITION = 2**31 - 1


class SentenceFilter(forms.Form):
    """Which sentences of a corpus to show."""

    sentence = forms.IntegerField(required=False, min_value=0, max_value=MAX_POSITION)
    containing = forms.CharField(required=False, max_length=200, label="Words")
    distinct = forms.IntegerField(required=False, min_value=0, max_value=500, label="Distinct outputs")

    def __init__(self, corpus: Corpus, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        documents = (
            corpus.sentences.exclude(document="").order_by("document").values_list("document", flat=True)
        )
        if choices := [(name, name) for name in documents.distinct()]:
            self.fields["document"] = forms.ChoiceField(required=False, choices=[("", "all"), *choices])


class JudgmentFilter(forms.Form):
    """Which judgments of a campaign to show."""

    annotator = forms.ChoiceField(required=False, label="Judge")
    state = forms.ChoiceField(required=False, choices=[("", "all"), *JudgmentState.choices])
    sentence = forms.IntegerField(required=False, min_value=0, max_value=MAX_POSITION)

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = campaign.annotators.order_by("name").values_list("name", flat=True)
        self.fields["annotator"] = forms.ChoiceField(
            required=False, label="Judge", choices=[("", "all"), *((name, name) for name in names)]
        )
