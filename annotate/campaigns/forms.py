"""Forms of a draft, of its clone and of the choice of a corpus."""

from collections.abc import Callable
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError

from annotate.campaigns.fields import ByProtocolField, PositionsField, SystemsField
from annotate.campaigns.follow_ups import FROZEN, has_settings_of_first
from annotate.campaigns.suitability import outputs_fault, stop_fault, systems_fault
from annotate.design.assignment import judgments_wanted
from annotate.design.positions import format_positions
from annotate.design.practice import PracticeError, TooFewItemsError, check_practice
from annotate.design.protocols import PROTOCOLS, Practisable, Protocol
from annotate.models import Campaign, Corpus, Design, Sampling, StopsWhen, SystemRole
from annotate.models.corpora import validate_heading
from annotate.models.listed import corpora
from annotate.web.field_groups import GroupedFields
from annotate.web.parameter_forms import parameter_field
from core.parameters import (
    ParameterError,
    ParameterField,
    parameter_fields,
    parameters_as_text,
    parameters_from_text,
)

MOST_JUDGMENTS = 1_000_000
"""A campaign with more is probably a typing error."""


GROUPS = {
    "Campaign": ("name", "protocol", "systems"),
    "Items": (
        "outputs_per_screen",
        "items",
        "sampling",
        "listed_sentences",
        "covers_outputs",
        "checked_percent",
        "with_replacement",
    ),
    "Annotators": (
        "shared_percent",
        "annotators_per_item",
        "repeat_percent",
        "batch_size",
        "lease_minutes",
        "separates_domains",
        "time_zone",
    ),
    "End": ("stops_when", "stop_confidence", "stop_after"),
    "Screen": ("guidelines", "shows_context", "marks_edits", "practice_needed", "practice_tries"),
}
DESIGN_FIELDS = [name for legend, names in GROUPS.items() if legend != "Campaign" for name in names]


class CorpusChoice(forms.Form):
    """The corpus of a new campaign."""

    corpus = forms.ModelChoiceField(queryset=corpora(), to_field_name="uuid", empty_label=None)


class CloneForm(forms.Form):
    """The name of a campaign's clone."""

    name = forms.CharField(max_length=200, validators=[validate_heading])

    def clean_name(self) -> str:
        return _free_name(self.cleaned_data["name"])


class CampaignForm(GroupedFields, forms.ModelForm):  # type: ignore[type-arg]  # no generic at run time
    """A campaign's design, as a draft."""

    name = forms.CharField(
        max_length=200,
        validators=[validate_heading],
        help_text="Annotators see it too, so it should not mention systems.",
    )
    protocol = forms.ChoiceField(
        choices=lambda: [(protocol.name, protocol.title) for protocol in PROTOCOLS.values()],
        help_text="How each screen is judged.",
    )
    separates_domains = ByProtocolField(
        label="One domain per day",
        help_text="An annotator judges sentences of only one domain per day. "
        "Usual for scalars, not for rankings.",
    )
    marks_edits = ByProtocolField(
        label="Mark the edits",
        help_text="Insertions, substitutions and deletions are marked against the source. "
        "Usual for rankings, not for scalars.",
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
            "shows_context": "Show the sentences before and after",
            "practice_needed": "Practice items to agree on",
            "practice_tries": "Attempts at the practice",
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
            "time_zone": "Time zone in which a day ends at midnight, such as Europe/Berlin.",
            "practice_needed": "Practice items to rate as the guidelines expect before judging starts.",
            "practice_tries": "How often an annotator may go through the practice, if agreement is required.",
            "shows_context": "From the same document. A corpus without documents has no context to show.",
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

    GROUPS = GROUPS
    SELDOM = frozenset(
        {
            "with_replacement",
            "lease_minutes",
            "separates_domains",
            "time_zone",
            "shows_context",
            "marks_edits",
            "practice_needed",
            "practice_tries",
        }
    )

    def __init__(
        self, corpus: Corpus, *args: object, campaign: Campaign | None = None, **kwargs: object
    ) -> None:
        self.campaign = campaign
        if campaign is not None:
            kwargs["instance"] = campaign.design
        super().__init__(*args, **kwargs)
        self.ONLY_IF = _conditions()
        self._add_options()
        self.fields["outputs_per_screen"].help_text = _help_on_outputs()
        systems = corpus.systems.filter(is_whole=True).order_by("name")
        ordinary = [system for system in systems if system.role in (SystemRole.SYSTEM, SystemRole.SOURCE)]
        self.fields["systems"] = SystemsField(
            queryset=systems,
            required=False,
            initial=campaign.systems.all() if campaign else ordinary,
            help_text="Systems whose outputs are compared. Identical outputs are shown once.",
        )
        self.fields["listed_sentences"] = PositionsField(
            sentences=corpus.sentence_count,
            most=MOST_JUDGMENTS,
            required=False,
            label="Listed sentences",
            help_text="For a list: numbers and ranges counted from 0, like 0-99, 105. One sentence per item.",
        )
        if campaign and has_settings_of_first(campaign):
            self.initial["listed_sentences"] = format_positions(campaign.design.listed_sentences)
            for name in FROZEN:
                self.fields[name].disabled = True
        if campaign:
            self.initial.update(name=campaign.name, protocol=campaign.protocol)
        else:
            usual = Design()
            self.initial["outputs_per_screen"] = max(2, min(usual.outputs_per_screen, len(ordinary)))
            self.initial["items"] = max(1, min(usual.items, corpus.sentence_count))
            self.initial.update(dict.fromkeys(BY_PROTOCOL, None))

    def _add_options(self) -> None:
        """Add a field for each option of each protocol, shown where that protocol is chosen."""
        for protocol in PROTOCOLS.values():
            chosen = self.campaign.protocol == protocol.name if self.campaign else False
            stored = self.instance.protocol_options if chosen else parameters_as_text(protocol.options())
            for name, option in _options(protocol).items():
                self.fields[name] = parameter_field(option)
                self.fields[name].help_text = option.help
                self.initial[name] = stored.get(option.name, "")
        options = tuple(name for protocol in PROTOCOLS.values() for name in _options(protocol))
        self.GROUPS = {**GROUPS, "Campaign": (*GROUPS["Campaign"], *options)}

    @property
    def is_new(self) -> bool:
        """A draft shows all its options."""
        return super().is_new and self.campaign is None

    def campaign_options(self) -> dict[str, Any]:
        """The values of the valid form, as arguments of services."""
        return {
            "name": self.cleaned_data["name"],
            "protocol": self.cleaned_data["protocol"],
            "systems": list(self.cleaned_data["systems"]),
            "design": self.instance,
        }

    def clean_name(self) -> str:
        return _free_name(self.cleaned_data["name"], but_for=self.campaign)

    def clean_systems(self) -> Any:
        systems = self.cleaned_data["systems"]
        protocol = PROTOCOLS.get(self.cleaned_data.get("protocol", ""))
        if protocol is not None and not protocol.most_outputs:
            return systems.none()
        if not systems and (protocol is None or protocol.least_systems):
            raise ValidationError(self.fields["systems"].error_messages["required"])
        if protocol is not None and (fault := systems_fault(protocol, len(systems))):
            raise ValidationError(fault)
        return systems

    def clean(self) -> dict[str, object]:
        cleaned = cast(dict[str, Any], super().clean())
        if cleaned.get("sampling") == Sampling.LISTED and cleaned.get("listed_sentences") == []:
            self.add_error("listed_sentences", "List the sentences to judge, or choose how to draw them.")
        if "protocol" in cleaned:
            self._suit(cleaned, PROTOCOLS[cleaned["protocol"]])
        stops_when = cleaned.get("stops_when", StopsWhen.NEVER)
        is_follow_up = bool(self.instance.follow_up)
        outputs = cleaned.get("outputs_per_screen")
        if fault := stop_fault(stops_when, outputs, is_follow_up=is_follow_up):
            self.add_error("stops_when", fault)
        if not self.errors:
            self._check_screen(cleaned["outputs_per_screen"], len(cleaned["systems"]))
            self._check_size(**{name: cleaned[name] for name in _SIZES})
        return cleaned

    def _suit(self, cleaned: dict[str, Any], protocol: Protocol) -> None:
        """Check the values against the protocol, and fill in its defaults."""
        for name in BY_PROTOCOL:
            if cleaned.get(name) is None:
                cleaned[name] = getattr(protocol, name)
        self._choose_options(cleaned, protocol)
        if protocol.least_outputs == protocol.most_outputs:
            cleaned["outputs_per_screen"] = protocol.most_outputs
        if not protocol.most_outputs:
            cleaned["covers_outputs"] = False
        outputs = cleaned.get("outputs_per_screen")
        if outputs is not None and (fault := outputs_fault(protocol, outputs)):
            self.add_error("outputs_per_screen", fault)
        elif outputs is not None and outputs < 2 and cleaned.get("sampling") == Sampling.DIVERSE:
            self.add_error(
                "sampling",
                "This protocol does not compare outputs, so they need not be diverse: draw uniformly.",
            )
        if "guidelines" in cleaned:
            try:
                check_practice(cleaned["guidelines"], protocol, cleaned.get("practice_needed") or 0)
            except TooFewItemsError as error:
                self.add_error("practice_needed", str(error))
            except PracticeError as error:
                self.add_error("guidelines", str(error))

    def _choose_options(self, cleaned: dict[str, Any], protocol: Protocol) -> None:
        fields = _options(protocol)
        stated = {option.name: cleaned.get(name, "") for name, option in fields.items()}
        try:
            chosen: object = parameters_from_text(protocol.options, stated)
        except ParameterError as error:
            for attribute, fault in error.faults.items():
                self.add_error(f"{protocol.name}-{attribute}", f"{fault[0].upper()}{fault[1:]}.")
        else:
            self.instance.protocol_options = parameters_as_text(chosen)

    def _check_screen(self, outputs: int, systems: int) -> None:
        if outputs > systems:
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


def _conditions() -> dict[str, str]:
    """The conditions on which fields are shown, by protocol and by other fields."""
    return {
        "listed_sentences": f"sampling={Sampling.LISTED}",
        "with_replacement": f"sampling={Sampling.DIVERSE} sampling={Sampling.UNIFORM}",
        "checked_percent": "covers_outputs",
        "annotators_per_item": "shared_percent",
        "time_zone": f"separates_domains=True {_asked_by(lambda protocol: protocol.separates_domains)}",
        "practice_tries": "practice_needed",
        **dict.fromkeys(
            ("stop_confidence", "stop_after"),
            f"stops_when={StopsWhen.FIRST} stops_when={StopsWhen.ORDER}",
        ),
        **dict.fromkeys(
            ("systems", "covers_outputs", "marks_edits"),
            _asked_by(lambda protocol: protocol.most_outputs > 0),
        ),
        "outputs_per_screen": _asked_by(lambda protocol: protocol.least_outputs < protocol.most_outputs),
        "practice_needed": _asked_by(lambda protocol: isinstance(protocol, Practisable)),
        **{
            name: f"protocol={protocol.name}"
            for protocol in PROTOCOLS.values()
            for name in _options(protocol)
        },
    }


def _options(protocol: Protocol) -> dict[str, ParameterField]:
    """The protocol's options by the names of their fields."""
    return {f"{protocol.name}-{each.attribute}": each for each in parameter_fields(protocol.options)}


def _asked_by(wanted: Callable[[Protocol], bool]) -> str:
    """The condition that one of these protocols is chosen."""
    return " ".join(f"protocol={protocol.name}" for protocol in PROTOCOLS.values() if wanted(protocol))


def _help_on_outputs() -> str:
    comparing = [protocol for protocol in PROTOCOLS.values() if protocol.most_outputs > 1]
    most = [f"{protocol.most_outputs} ({protocol.title})" for protocol in comparing]
    return f"Corrections of one sentence on a screen: at most {' or '.join(most)}."


BY_PROTOCOL = ("marks_edits", "separates_domains")
_SIZES = ("items", "annotators_per_item", "shared_percent")


def _free_name(name: str, *, but_for: Campaign | None = None) -> str:
    namesake = Campaign.objects.filter(name=name).first()
    if namesake is not None and namesake != but_for:
        raise ValidationError("Another campaign has this name. Choose a different one.")
    return name
