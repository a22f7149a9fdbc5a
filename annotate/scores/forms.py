"""Forms of the scores of a corpus."""

from collections.abc import Sequence
from dataclasses import dataclass

from django import forms
from django.http import QueryDict

from annotate.models import Corpus, System
from annotate.scores.evaluation import compared_with, stated_name, why_not
from annotate.scores.styles import styles_of, with_style
from annotate.web.parameter_forms import AnyParametersForm, Fault
from core.parameters import parameter_fields, parameters_as_text
from metrics import METRICS, AnyMetric, faults_of_packages

CHOSEN = "metric"
STYLE = "style"
ALL = "all"
"""The button that chooses every metric by which the corpus can be scored."""


@dataclass(frozen=True, slots=True)
class MetricChoice:
    """A metric in the form.

    Attributes:
        metric: with its default parameters.
        form: form of its parameters.
        is_chosen: whether it is ticked.
        is_open: whether its parameters are shown.
        reason: why it cannot be chosen; empty if it can.
    """

    metric: AnyMetric
    form: AnyParametersForm
    is_chosen: bool
    is_open: bool
    reason: str


class MetricsForm:
    """All metrics with their parameters, to choose from.

    Attributes:
        choices: one per metric, ordered by label.
        faults: errors in the sent values.
        styles: of the references, to choose one.
        style: the chosen one; empty for all references.
        metrics: the chosen metrics in command-line form; empty if there are faults.
        unusable: why metrics of installed packages cannot be chosen, a sentence each.
    """

    def __init__(self, corpus: Corpus, sent: QueryDict | None = None) -> None:
        there = compared_with(corpus)
        chosen = set(sent.getlist(CHOSEN)) if sent is not None else set()
        wants_all = sent is not None and ALL in sent
        self.faults: list[Fault] = []
        self.styles = styles_of(corpus)
        self.style = sent.get(STYLE, "") if sent is not None else ""
        if self.style and self.style not in self.styles:
            self.faults.append(Fault("Choose a style of the corpus' references."))
        self.unusable = faults_of_packages()
        self.metrics: list[str] = []
        self.choices: list[MetricChoice] = []
        for cls in sorted(METRICS.values(), key=lambda cls: cls.label.lower()):
            metric = cls()
            is_chosen = cls.name in chosen or (wants_all and not why_not(metric, corpus, there))
            stated = _stated(cls, sent) if sent is not None and is_chosen else {}
            form = AnyParametersForm(cls.Parameters, stated, prefix=cls.name)
            if not is_chosen:
                form.show(metric.parameters)
            elif form.asked is not None:
                metric = cls(form.asked)
            reason = why_not(metric, corpus, there)
            if is_chosen:
                self._choose(metric, form, reason)
            self.choices.append(MetricChoice(metric, form, is_chosen, bool(form.faults), reason))
        if sent is not None and not any(choice.is_chosen for choice in self.choices):
            self.faults.append(Fault("Choose a metric."))
        if self.faults:
            self.metrics = []

    def _choose(self, metric: AnyMetric, form: AnyParametersForm, reason: str) -> None:
        faults = [*form.faults, *([Fault(reason)] if reason else [])]
        self.faults += [Fault(f"{metric.label}: {fault.text}.", fault.field) for fault in faults]
        name = stated_name(metric, parameters_as_text(metric.parameters))
        self.metrics.append(with_style(name, self.style))


class SentenceScoreFilter(forms.Form):
    """Selects and orders the sentence scores to show."""

    SORTS = {"": "sentence", "-score": "highest first", "score": "lowest first"}

    system = forms.ChoiceField(required=False)
    sort = forms.ChoiceField(required=False, label="Order", choices=list(SORTS.items()))

    def __init__(self, systems: Sequence[System], sent: QueryDict | None) -> None:
        super().__init__(sent)
        names = [(system.name, system.shown) for system in systems]
        field = self.fields["system"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [("", "all"), *names]


class ScoresUpload(forms.Form):
    """A file of scores that were computed elsewhere."""

    file = forms.FileField(
        label="CSV file",
        help_text="Columns: metric, system, score and, for scores of sentences, sentence (its number, "
        "counted from 0; empty for the score of the system).",
        widget=forms.FileInput({"accept": ".csv,text/csv"}),
    )


def _stated(cls: type[AnyMetric], sent: QueryDict) -> dict[str, str]:
    """The sent values of a metric's parameters."""
    names = {each.attribute: f"{cls.name}-{each.attribute}" for each in parameter_fields(cls.Parameters)}
    return {attribute: sent.get(name, "") for attribute, name in names.items()}
