"""The form for the author of a metric: scores or a metric, and judgment sets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms

from analysis.analyses.metric_titles import UPLOADED
from analysis.analyses.metrics.new_metric.compared import TIES
from analysis.pages.comparable_campaigns import MOST_CAMPAIGNS, Offered
from analysis.runs.sources.scored_judgments import metric_name
from annotate.models import Campaign, Corpus, User
from annotate.scores.evaluation import compared_with, stated_name, why_not
from annotate.scores.forms import ScoresUpload
from annotate.scores.queries import finished_sets, outdated_sets
from annotate.scores.queueing import queue_scoring, queue_storing_in_each
from annotate.web.images import title_of
from core.parameters import ParameterError, parameters_as_text
from metrics import METRICS, UnknownMetricError, metric_class, metric_from_text
from metrics.meta_evaluation.tie_rules import TieRule


class NewMetricForm(ScoresUpload):
    """Scores in a file or a metric of this site, and the judgment sets."""

    metric = forms.CharField(
        required=False,
        label="Or a metric of this site",
        help_text="Such as gleu, or m2:beta=1.",
        widget=forms.TextInput({"list": "metrics", "autocomplete": "off"}),
    )
    campaign = forms.MultipleChoiceField(
        label="Judgment sets",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose a judgment set."},
        help_text=f"Campaigns and imported judgments with texts, at most {MOST_CAMPAIGNS}.",
    )
    ties = forms.ChoiceField(
        label="Ties of metrics",
        choices=[(rule.value, words) for rule, words in TIES.items()],
        initial=TieRule.HALF.value,
        help_text="What a tie of a metric counts as in the accuracy.",
    )

    def __init__(self, *args: Any, offered: Sequence[Offered], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._offered = {str(each.campaign.uuid): each.campaign for each in offered}
        self.fields["file"].required = False
        field = self.fields["campaign"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101
        field.choices = [
            (str(each.campaign.uuid), f"{title_of(each.campaign)} ({each.about})") for each in offered
        ]

    def clean(self) -> dict[str, Any]:
        """One of file and metric, which can score the corpora, and not too many sets."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if "file" in self.errors or "campaign" in self.errors:
            return cleaned
        if bool(cleaned.get("file")) == bool(cleaned.get("metric")):
            self.add_error("file", "Choose either a file or a metric.")
        elif len(cleaned["campaign"]) > MOST_CAMPAIGNS:
            self.add_error("campaign", f"Choose at most {MOST_CAMPAIGNS}.")
        elif cleaned.get("metric"):
            self._check_metric(cleaned)
        return cleaned

    def _check_metric(self, cleaned: dict[str, Any]) -> None:
        try:
            # A model in a file (`learned:FILE`) is for commands.
            metric_class(cleaned["metric"].partition(":")[0])
            metric = metric_from_text(cleaned["metric"])
        except (UnknownMetricError, ParameterError) as error:
            self.add_error("metric", str(error))
            return
        for corpus in self.corpora:
            if reason := why_not(metric, corpus, compared_with(corpus)):
                self.add_error("metric", f"{metric.label} cannot score {corpus}: {reason}.")
        cleaned["metric"] = stated_name(metric, parameters_as_text(metric.parameters))

    @property
    def campaigns(self) -> list[Campaign]:
        """The chosen campaigns."""
        return [self._offered[uuid] for uuid in self.cleaned_data["campaign"]]

    @property
    def corpora(self) -> list[Corpus]:
        """Their corpora, each once."""
        return list({campaign.corpus.pk: campaign.corpus for campaign in self.campaigns}.values())

    def queue(self, *, by: User) -> list[str]:
        """Queue the jobs that make the scores, and return the names that the scores will have.

        Raises:
            FormatError: a line of the file is wrong; nothing is stored.
        """
        if file := self.cleaned_data["file"]:
            return [f"{name}{UPLOADED}" for name in queue_storing_in_each(self.corpora, file, by=by).metrics]
        name = self.cleaned_data["metric"]
        for corpus in self.corpora:
            if lacks_scores(corpus, [name]) or any(each.name == name for each in outdated_sets(corpus)):
                queue_scoring(corpus, [name], by=by)
        return [name]


def lacks_scores(corpus: Corpus, metrics: Iterable[str]) -> list[str]:
    """The metrics, as analyses name them, whose scores the corpus lacks."""
    there = {metric_name(each) for each in finished_sets(corpus)}
    return [name for name in metrics if name not in there]


def names_of_metrics() -> list[str]:
    """The names of all metrics of this site."""
    return sorted(METRICS)
