"""Settings of a crowd as a form."""

import secrets
from typing import Any

from django import forms

from annotate.models import Crowd, Platform
from annotate.web.field_groups import GroupedFields
from annotate.web.interface_languages import in_language_of
from core.translations import gettext, translatable

CODE_BYTES = 5
NO_RISKS = translatable("There are no known risks.")
CONSENT = (
    translatable("Taking part is voluntary. You can stop at any time by closing the page."),
    translatable("We store your answers, their times, and the id that the platform gave us, to pay you."),
    translatable("Answers are published without that id, for research."),
)


GROUPS = {
    "Workers": ("platform", "is_open", "batches_per_visit", "visits_per_worker"),
    "Consent": ("consent",),
    "Codes": ("code_passed", "code_failed", "code_returned"),
    "Custom names": ("worker_parameter", "visit_parameter", "captured_parameters", "return_url"),
}


class NamesField(forms.CharField):
    """Names of parameters, separated by spaces or commas."""

    def to_python(self, value: object) -> list[str]:  # type: ignore[override]
        return list(dict.fromkeys((super().to_python(value) or "").replace(",", " ").split()))

    def prepare_value(self, value: object) -> Any:
        return " ".join(value) if isinstance(value, list) else value


class CrowdForm(GroupedFields, forms.ModelForm):  # type: ignore[type-arg]  # no generic at run time
    """How workers of a platform enter a campaign."""

    captured_parameters = NamesField(
        required=False,
        max_length=2000,
        label="Further parameters to keep",
        help_text="In addition to the platform's own, separated by spaces.",
    )

    class Meta:
        model = Crowd
        fields = [name for names in GROUPS.values() for name in names]
        labels = {
            "is_open": "Accept workers",
            "batches_per_visit": "Batches per visit",
            "visits_per_worker": "Visits per worker",
            "consent": "What workers agree to",
            "code_passed": "Completion code",
            "code_failed": "Completion code after failed checks",
            "code_returned": "Code for not taking part",
            "worker_parameter": "Parameter of the worker's id",
            "visit_parameter": "Parameter of the visit",
            "return_url": "Where workers return",
        }
        help_texts = {
            "platform": "Empty fields below take this platform's defaults.",
            "is_open": "Untick to stop accepting workers from the platform.",
            "batches_per_visit": "A worker completes this many before the code is shown.",
            "visits_per_worker": "Completed visits; the platform pays for each.",
            "consent": "In Markdown. Nothing is stored about workers who decline. "
            "After a change everyone is asked again.",
            "code_passed": "Enter these codes on the platform. The CSV below shows who really earned one.",
            "code_failed": "Shown with the same words, so that workers cannot learn how to pass.",
            "code_returned": "For workers who decline, have used up their visits or find nothing to do.",
            "worker_parameter": "The part of the address that holds the worker's id.",
            "visit_parameter": "The parameter of the address that names the paid work, if there is one.",
            "return_url": "An https:// address with {code}. Empty: Prolific's; elsewhere the code is shown.",
        }
        widgets = {"platform": forms.RadioSelect, "consent": forms.Textarea(attrs={"rows": 10})}

    GROUPS = GROUPS
    ONLY_IF = {name: f"platform={Platform.OTHER} {name}" for name in ("worker_parameter", "visit_parameter")}

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk is None:
            with in_language_of(self.instance.campaign):
                self.initial["consent"] = _consent(self.instance.campaign.task)
            for name in GROUPS["Codes"]:
                self.initial[name] = secrets.token_hex(CODE_BYTES).upper()


def _consent(task: str) -> str:
    """The text that a new crowd begins with, in Markdown."""
    points = "".join(f"- {gettext(point)}\n" for point in CONSENT)
    return f"{gettext(task)} {gettext(NO_RISKS)}\n\n{points}"
