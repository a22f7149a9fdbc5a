"""Forms of a draft, of its clone and of the choice of a corpus."""

from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.forms import model_to_dict

from annotate.campaigns.drafts import MOST_NAME_CHARS, free_name, unused_name
from annotate.campaigns.fields import PositionsField, SystemsField
from annotate.campaigns.follow_ups.drafting import FROZEN, has_settings_of_first
from annotate.campaigns.prepared.suggestions import read_suggestions, suggestions_fault
from annotate.campaigns.suitability import outputs_fault, stop_fault, systems_fault
from annotate.campaigns.usual_designs import fit, usual_design, usual_options, usual_systems
from annotate.design.assignment import judgments_wanted
from annotate.design.positions import format_positions
from annotate.design.practice import PracticeError, TooFewItemsError, check_practice
from annotate.design.protocols import PROTOCOLS, Practisable, Protocol
from annotate.models import Campaign, Corpus, Design, Sampling, StopsWhen
from annotate.models.corpora import validate_heading
from annotate.models.listed import corpora
from annotate.web.field_groups import GroupedFields
from annotate.web.parameter_forms import Ticked, is_true, parameter_field
from core.parameters import (
    ParameterError,
    ParameterField,
    parameter_fields,
    parameters_as_text,
    parameters_from_text,
)
from core.wording import counted
from formats import FormatError
from formats.text.lines import plain_text

MOST_JUDGMENTS = 1_000_000
"""A campaign with more is probably a typing error."""


FIRST = "Campaign"
"""The group of fields that are always shown; the others are folded away."""

GROUPS = {
    FIRST: ("name", "systems", "items", "annotators_per_item", "guidelines"),
    "Items": (
        "outputs_per_screen",
        "sampling",
        "listed_sentences",
        "covers_outputs",
        "checked_percent",
        "with_replacement",
    ),
    "Annotators": (
        "shared_percent",
        "repeat_percent",
        "batch_size",
        "lease_minutes",
        "separates_domains",
        "time_zone",
    ),
    "End": ("stops_when", "stop_confidence", "stop_after"),
    "Screen": (
        *("suggestions", "keeps_suggestions", "interface_language"),
        *("natural_text", "shows_context", "marks_edits", "practice_needed", "practice_tries"),
        "opinion_of",
    ),
}
OF_OUTPUTS = ("systems", "outputs_per_screen", "covers_outputs", "marks_edits")
OF_COMPARISONS = ("checked_percent", "stops_when", "stop_confidence", "stop_after")
OF_PRACTICE = ("practice_needed", "practice_tries")
MOST_BYTES_OF_SUGGESTIONS = 10 * 2**20
"""They are read while somebody waits; the command takes more."""
BESIDE_DESIGN = ("name", "systems", "suggestions", "keeps_suggestions")
DESIGN_FIELDS = [name for names in GROUPS.values() for name in names if name not in BESIDE_DESIGN]


class CorpusChoice(forms.Form):
    """The corpus of a new campaign."""

    corpus = forms.ModelChoiceField(queryset=corpora(), to_field_name="uuid", empty_label=None)


class CloneForm(forms.Form):
    """The name of a campaign's clone."""

    name = forms.CharField(max_length=MOST_NAME_CHARS, validators=[validate_heading])

    def clean_name(self) -> str:
        return free_name(self.cleaned_data["name"])


class CampaignForm(GroupedFields, forms.ModelForm):  # type: ignore[type-arg]  # no generic at run time
    """The design of a campaign by one protocol, as a draft. It has the fields that the protocol needs."""

    name = forms.CharField(
        max_length=MOST_NAME_CHARS,
        validators=[validate_heading],
        help_text="Annotators see it too, so it should not mention systems.",
    )

    class Meta:
        model = Design
        fields = DESIGN_FIELDS
        labels = {
            "outputs_per_screen": "Outputs per screen",
            "items": "Number of items",
            "sampling": "Sampling of sentences",
            "with_replacement": "A sentence may be drawn more than once",
            "covers_outputs": "Judge every output of each sentence",
            "checked_percent": "Screens with source and control, in percent",
            "annotators_per_item": "Annotators per shared item",
            "shared_percent": "Shared items, in percent",
            "repeat_percent": "Repeats, in percent",
            "batch_size": "Screens per batch",
            "lease_minutes": "Lease, in minutes",
            "stops_when": "Stop when settled",
            "stop_confidence": "Confidence, in percent",
            "stop_after": "Fewest judgments",
            "separates_domains": "One domain per day",
            "interface_language": "Language of annotators’ pages",
            "natural_text": "Show text as people write it",
            "shows_context": "Show the sentences before and after",
            "marks_edits": "Mark the edits",
            "practice_needed": "Practice items to agree on",
            "practice_tries": "Attempts at the practice",
            "opinion_of": "Show a machine’s answer afterwards",
        }
        help_texts = {
            "items": "One item is one screen: a sentence and some of its outputs. "
            "If every output is judged, this is the number of sentences.",
            "sampling": "Diverse outputs are more informative; a uniform draw mirrors the corpus.",
            "with_replacement": "With newly drawn outputs each time. A list repeats sentences as listed.",
            "covers_outputs": "All distinct outputs are judged, on as many screens of equal size as needed. "
            "One person gets the screens of a sentence one after the other.",
            "checked_percent": "If every output is judged: smallest share of a sentence's screens that show "
            "both the source and the control, on which annotators are checked.",
            "annotators_per_item": "How many different annotators judge a shared item.",
            "shared_percent": "Shared items measure agreement; the others are judged once.",
            "repeat_percent": "Items that the same annotator judges again, at least ten screens later.",
            "batch_size": "Number of screens that an annotator takes at a time.",
            "lease_minutes": "Screens left unanswered for this long go to someone else.",
            "stops_when": "The campaign then closes by itself; you can reopen it. The intervals hold however "
            "often the ranking is looked at.",
            "stop_confidence": "Usual are 95 or 99.",
            "stop_after": "The ranking is first looked at after this number of judgments, then after "
            "every 5 % more.",
            "separates_domains": "An annotator judges sentences of only one domain per day.",
            "marks_edits": "Insertions, substitutions and deletions are marked against the source.",
            "time_zone": "Time zone in which a day ends at midnight, such as Europe/Berlin.",
            "practice_needed": "Practice items to rate as the guidelines expect before judging starts.",
            "practice_tries": "How often an annotator may go through the practice, if agreement is required.",
            "interface_language": "Of buttons, questions and messages, not of the guidelines.",
            "natural_text": "Without the blanks between tokens: “don’t know.” for “do n’t know .”. Judgments "
            "and exports keep the tokens of the corpus.",
            "shows_context": "From the same document. A corpus without documents has no context to show.",
            "opinion_of": "Name of the machine, which you add after the launch. Empty: none. Annotators see "
            "its answer after they have given theirs, which they may then change. Each stored answer says "
            "whether the machine’s was shown.",
            "guidelines": "For annotators, in Markdown. They are shown before the first screen and can be "
            "opened on every screen. A fenced block that begins with ```practice "
            "is a practice item: the source in its first line, then for each "
            "correction a line “rating | text”, and after an empty line the explanation.",
        }
        widgets = {
            "sampling": forms.RadioSelect,
            "stops_when": forms.RadioSelect,
            "guidelines": forms.Textarea(attrs={"rows": 12}),
        }

    FOLDED = tuple(legend for legend in GROUPS if legend != FIRST)
    ONLY_IF = {
        "listed_sentences": f"sampling={Sampling.LISTED}",
        "with_replacement": f"sampling={Sampling.DIVERSE} sampling={Sampling.UNIFORM}",
        "checked_percent": "covers_outputs",
        "annotators_per_item": "shared_percent",
        "time_zone": "separates_domains",
        "practice_tries": "practice_needed",
        **dict.fromkeys(
            ("stop_confidence", "stop_after"), f"stops_when={StopsWhen.FIRST} stops_when={StopsWhen.ORDER}"
        ),
    }

    def __init__(
        self,
        corpus: Corpus,
        protocol: Protocol,
        *args: object,
        campaign: Campaign | None = None,
        **kwargs: object,
    ) -> None:
        self.corpus = corpus
        self.protocol = protocol
        self.campaign = campaign
        self.options: Any = None
        """Those of the protocol, once they are valid."""
        systems = corpus.systems.filter(is_whole=True).order_by("name")
        ticked = usual_systems(protocol, list(systems))
        self.usual = usual_design(protocol, corpus, len(ticked))
        kwargs["instance"] = self._design(corpus)
        super().__init__(*args, **kwargs)
        self.fields["systems"] = SystemsField(
            queryset=systems,
            required=False,
            initial=campaign.systems.all() if campaign else ticked,
            help_text="Systems whose outputs are judged. Identical outputs are shown once.",
        )
        self.fields["interface_language"] = forms.ChoiceField(
            choices=list(settings.INTERFACE_LANGUAGES.items()),
            required=False,
            label=self.fields["interface_language"].label,
            help_text=self.fields["interface_language"].help_text,
        )
        self.fields["listed_sentences"] = PositionsField(
            sentences=corpus.sentence_count,
            most=MOST_JUDGMENTS,
            required=False,
            label="Listed sentences",
            help_text="For a list: numbers and ranges counted from 0, like 0-99, 105. One sentence per item.",
        )
        self._add_suggestions()
        self._suit(corpus)
        self._add_options()
        if campaign and has_settings_of_first(campaign):
            self.initial["listed_sentences"] = format_positions(campaign.design.listed_sentences)
            for name in FROZEN:
                if name in self.fields:
                    self.fields[name].disabled = True
        self.initial["name"] = campaign.name if campaign else unused_name(f"{corpus}: {protocol.title}")

    def _design(self, corpus: Corpus) -> Design:
        """The design to start from: the usual one, or the draft's, fitted to its protocol if that changes."""
        if self.campaign is None:
            return copy(self.usual)
        design = self.campaign.design
        if self.campaign.protocol != self.protocol.name:
            fit(design, PROTOCOLS[self.campaign.protocol], self.usual, corpus)
        return design

    def _suit(self, corpus: Corpus) -> None:
        """Remove the fields that do not apply to the protocol or the corpus."""
        protocol = self.protocol
        unasked = [
            *(OF_OUTPUTS if not protocol.most_outputs else ()),
            *(OF_COMPARISONS if protocol.most_outputs < 2 else ()),
            *(OF_PRACTICE if not isinstance(protocol, Practisable) else ()),
            *(("natural_text",) if corpus.text_rules is None else ()),
            *(("outputs_per_screen",) if protocol.least_outputs == protocol.most_outputs else ()),
        ]
        for name in dict.fromkeys(unasked):
            del self.fields[name]
        if protocol.most_outputs < 2:
            self._offer_no_diverse_outputs()
        elif "outputs_per_screen" in self.fields:
            most = protocol.most_outputs
            self.fields[
                "outputs_per_screen"
            ].help_text = f"Corrections of one sentence on a screen: {protocol.least_outputs} to {most}."
        self._say_what_is_usual()

    def _say_what_is_usual(self) -> None:
        annotators, items = self.fields["annotators_per_item"], self.fields["items"]
        if self.usual.shared_percent == 100:
            annotators.label = "Annotators per item"
            annotators.help_text = "How many different annotators judge an item."
        else:
            annotators.help_text += f" Usually {self.usual.shared_percent} % of the items are shared."
        if self.usual.covers_outputs:
            items.label = "Number of sentences"
            items.help_text = "Every output of each sentence is judged, on as many screens as needed."
        elif not self.protocol.most_outputs:
            items.help_text = "One item is one screen: a sentence."

    def _add_suggestions(self) -> None:
        """Add a field for a file of suggestions, where a protocol takes one, and one to keep those there."""
        what = self.protocol.suggests
        if not what:
            return
        self.fields["suggestions"] = forms.FileField(
            required=False,
            label=f"Suggested {what}",
            help_text=f"For outputs that come with {what} of a program, which annotators accept, change or "
            "remove: a file of JSON Lines. Screens say what is suggested.",
            widget=forms.FileInput({"accept": ".jsonl,.json"}),
        )
        draft = self.campaign
        if draft and draft.protocol == self.protocol.name and (number := draft.suggestions.count()):
            self.fields["keeps_suggestions"] = forms.BooleanField(
                required=False,
                initial=True,
                label=f"Keep the {what} that are suggested for {counted(number, 'output')}",
                help_text="A file here replaces them.",
            )

    def _offer_no_diverse_outputs(self) -> None:
        field = cast(forms.ChoiceField, self.fields["sampling"])
        field.choices = [choice for choice in Sampling.choices if choice[0] != Sampling.DIVERSE]
        field.help_text = "A uniform draw mirrors the corpus."

    def _add_options(self) -> None:
        """Add a field for each option of the protocol: the first ones above, the others below *More*."""
        own = self.campaign and self.campaign.protocol == self.protocol.name
        stored = self.instance.protocol_options if own else usual_options(self.protocol, self.corpus)
        options = _options(self.protocol)
        for name, option in options.items():
            self.fields[name] = parameter_field(option)
            self.fields[name].help_text = option.help
            self.initial[name] = stored.get(option.name, "")
        first = [name for name, option in options.items() if option.attribute in self.protocol.first_options]
        name, *others = GROUPS[FIRST]
        groups = {
            **GROUPS,
            FIRST: (name, *first, *others),
            "Screen": (*(each for each in options if each not in first), *GROUPS["Screen"]),
        }
        self.GROUPS = {
            legend: tuple(name for name in names if name in self.fields) for legend, names in groups.items()
        }

    def shows(self, fields: Sequence[forms.BoundField]) -> bool:
        """Whether one of the fields has an error, or another value than usual: these are not folded away."""
        options = usual_options(self.protocol, self.corpus)
        usual = model_to_dict(self.usual)
        usual |= {name: options.get(option.name, "") for name, option in _options(self.protocol).items()}
        return any(field.errors or _differs(field, usual.get(field.name)) for field in fields)

    def campaign_options(self) -> dict[str, Any]:
        """The values of the valid form, as arguments of services."""
        return {
            "name": self.cleaned_data["name"],
            "protocol": self.protocol.name,
            "systems": list(self.cleaned_data["systems"]),
            "design": self.instance,
            "suggestions": self.cleaned_data.get("suggestions"),
        }

    def clean_name(self) -> str:
        return free_name(self.cleaned_data["name"], but_for=self.campaign)

    def clean_interface_language(self) -> str:
        return self.cleaned_data["interface_language"] or self.usual.interface_language

    def clean_systems(self) -> Any:
        systems = self.cleaned_data["systems"]
        if not systems and self.protocol.least_systems:
            raise ValidationError(self.fields["systems"].error_messages["required"])
        if fault := systems_fault(self.protocol, len(systems)):
            raise ValidationError(fault)
        return systems

    def clean(self) -> dict[str, object]:
        cleaned = cast(dict[str, Any], super().clean())
        cleaned.setdefault("systems", [])
        if cleaned.get("sampling") == Sampling.LISTED and cleaned.get("listed_sentences") == []:
            self.add_error("listed_sentences", "List the sentences to judge, or choose how to draw them.")
        self._choose_options(cleaned, self.protocol)
        outputs = cleaned.get("outputs_per_screen")
        if outputs is not None and (fault := outputs_fault(self.protocol, outputs)):
            self.add_error("outputs_per_screen", fault)
        stops_when = cleaned.get("stops_when", StopsWhen.NEVER)
        if fault := stop_fault(stops_when, outputs, is_follow_up=bool(self.instance.follow_up)):
            self.add_error("stops_when", fault)
        self._check_guidelines(cleaned)
        self._check_suggestions(cleaned)
        if not self.errors:
            self._check_screen(outputs, len(cleaned["systems"]))
            self._check_size(**{name: cleaned[name] for name in _SIZES})
        return cleaned

    def _check_guidelines(self, cleaned: dict[str, Any]) -> None:
        if "guidelines" not in cleaned or self.options is None:
            return
        try:
            check_practice(
                cleaned["guidelines"], self.protocol, self.options, cleaned.get("practice_needed") or 0
            )
        except TooFewItemsError as error:
            self.add_error("practice_needed", str(error))
        except PracticeError as error:
            self.add_error("guidelines", str(error))

    def _check_suggestions(self, cleaned: dict[str, Any]) -> None:
        """Read the file; without one, suggestions that stay must fit the settings."""
        file = cleaned.get("suggestions")
        cleaned["suggestions"] = None
        if self.options is None:
            return
        if file and file.size > MOST_BYTES_OF_SUGGESTIONS:
            self.add_error(
                "suggestions",
                f"The file is larger than {MOST_BYTES_OF_SUGGESTIONS // 2**20} MB. Save the draft without "
                "it, and have `manage.py suggest` on the server store it.",
            )
        elif file:
            path = Path(str(file.name))
            try:
                text = plain_text(file.read(), path)
                cleaned["suggestions"] = read_suggestions(
                    self.corpus, self.protocol, self.options, text, path
                )
            except FormatError as error:
                self.add_error("suggestions", str(error))
        elif "keeps_suggestions" in self.fields:
            if not cleaned.get("keeps_suggestions"):
                cleaned["suggestions"] = {}
            elif self.campaign and (fault := suggestions_fault(self.campaign, self.instance)):
                self.add_error("keeps_suggestions", fault)

    def _choose_options(self, cleaned: dict[str, Any], protocol: Protocol) -> None:
        fields = _options(protocol)
        stated = {option.name: cleaned.get(name, "") for name, option in fields.items()}
        try:
            chosen: Any = parameters_from_text(protocol.options, stated)
        except ParameterError as error:
            for attribute, fault in error.faults.items():
                self.add_error(f"{protocol.name}-{attribute}", f"{fault[0].upper()}{fault[1:]}.")
        else:
            self.options = chosen
            self.instance.protocol_options = parameters_as_text(chosen)

    def _check_screen(self, outputs: int | None, systems: int) -> None:
        if outputs is not None and outputs > systems:
            self.add_error(
                "outputs_per_screen",
                f"{systems} systems cannot fill a screen of {outputs} outputs: "
                f"ask for at most {systems}, or tick more systems.",
            )

    def _check_size(self, items: int, annotators_per_item: int, shared_percent: int) -> None:
        judgments = judgments_wanted(items, annotators_per_item, shared_percent)
        if judgments > MOST_JUDGMENTS:
            self.add_error(
                "items",
                f"That would be about {judgments} judgments, and a campaign has room for {MOST_JUDGMENTS}: "
                "ask for fewer items, or share fewer of them.",
            )


def _differs(field: forms.BoundField, usual: object) -> bool:
    value = field.data if field.form.is_bound else field.initial
    if isinstance(field.field.widget, Ticked):
        return is_true(value) != is_true(usual)
    return field.field.has_changed(usual, value)


def _options(protocol: Protocol) -> dict[str, ParameterField]:
    """The protocol's options by the names of their fields."""
    return {f"{protocol.name}-{each.attribute}": each for each in parameter_fields(protocol.options)}


_SIZES = ("items", "annotators_per_item", "shared_percent")
