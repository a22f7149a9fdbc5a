"""The form in which an admin states what the command `release` reads from a file."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils import timezone

from analysis.models import DataRelease
from analysis.releases.about import LICENCES, MOST_CHARS, VERSION, AboutError
from analysis.releases.options import REVEALED_BY_DRAWS, Layout, Options
from analysis.releases.questions import QUESTIONS
from annotate.models import Campaign, CampaignState
from annotate.web.field_groups import GroupedFields

ANSWER = "answer_"
"""Before the names of the fields that take the answers to `QUESTIONS`."""

OTHER_LICENCE = re.compile(r"(?P<name>.+?)[\s,]+(?P<url>https?://\S+)")

LINES = {"rows": 3}
DATA_SET, TEXTS, PEOPLE, JUDGMENTS = "Data set", "Texts", "Authors", "Judgments"
ANSWERS = "Questions that only people can answer"


def _line(label: str, help_text: str = "", *, required: bool = True) -> forms.CharField:
    return forms.CharField(label=label, help_text=help_text, required=required, max_length=1000)


def _licence(label: str, help_text: str, *, required: bool) -> forms.CharField:
    widget = forms.TextInput({"list": "licences"})
    return forms.CharField(
        label=label, help_text=help_text, required=required, max_length=1000, widget=widget
    )


class ReleaseForm(GroupedFields, forms.Form):
    """What the authors of a data release state."""

    GROUPS: Mapping[str, tuple[str, ...]] = {
        DATA_SET: ("title", "name", "version", "date", "description", "url", "licence", "keywords", "doi"),
        PEOPLE: ("authors", "contact"),
        TEXTS: ("leave_out_texts", "text_licence", "source"),
        JUDGMENTS: ("layouts", "with_secret"),
        ANSWERS: tuple(f"{ANSWER}{name}" for name in QUESTIONS),
    }
    FOLDED = (ANSWERS,)

    title = _line("Title")
    name = _line("Short name", "Small letters and digits with hyphens, for files and addresses.")
    version = _line("Version", "Three numbers. Raise the first if earlier results change.")
    date = forms.DateField(label="Day of the release", widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"))
    description = forms.CharField(label="Description", max_length=MOST_CHARS, widget=forms.Textarea(LINES))
    url = _line("Address", "Where the data set will be found.")
    licence = _licence(
        "Licence of judgments, scores and descriptions",
        "Such as CC-BY-4.0; for another one, its name and the address of its text.",
        required=True,
    )
    keywords = _line("Keywords", "With commas between them.", required=False)
    doi = _line("DOI", "Of this version, if it has one already.", required=False)
    authors = forms.CharField(
        label="Authors",
        help_text="One a line: Family, Given; affiliation; ORCID. An organisation has its name alone.",
        max_length=MOST_CHARS,
        widget=forms.Textarea(LINES),
    )
    contact = _line("Contact", "Where to report errors.", required=False)
    leave_out_texts = forms.BooleanField(
        required=False,
        label="Leave out all texts",
        help_text="Sentences, outputs, references and texts of annotators; digests stand in their place.",
    )
    text_licence = _licence(
        "Licence of the texts", "It has to allow that the texts are published.", required=False
    )
    source = _line("Where the texts come from", "Name or address of the corpus.", required=False)
    layouts = forms.MultipleChoiceField(
        choices=[(each.value, each.value) for each in Layout],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Also in the layout of",
        help_text="Programs that compare metrics with people, and read these folders as they are.",
    )
    with_secret = forms.BooleanField(
        required=False, label="Release the secret of the draws", help_text=REVEALED_BY_DRAWS
    )

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if (others := released_with(campaign)).exists():
            self.fields["further"] = forms.ModelMultipleChoiceField(
                others,
                to_field_name="uuid",
                required=False,
                widget=forms.CheckboxSelectMultiple,
                label="Together with",
                help_text="Other campaigns on the same corpus that are closed or imported. They share the "
                "tables, where a column names the campaign of each judgment.",
            )
            self.GROUPS = {**self.GROUPS, JUDGMENTS: ("further", *self.GROUPS[JUDGMENTS])}
        for name, question in QUESTIONS.items():
            self.fields[f"{ANSWER}{name}"] = forms.CharField(
                label=question.text, required=False, max_length=MOST_CHARS, widget=forms.Textarea(LINES)
            )

    @property
    def stated(self) -> dict[str, Any]:
        """What was filled in, by the keys of the command's file, with the day as a text."""
        given = self.cleaned_data
        lines = ("title", "name", "version", "description", "url", "doi", "contact", "source")
        licences = {key: _read_licence(given[key]) for key in ("licence", "text_licence") if given[key]}
        return {
            **{key: given[key].replace("\r\n", "\n") for key in lines if given[key]},
            **licences,
            "date": given["date"].isoformat(),
            "leave_out_texts": given["leave_out_texts"],
            "keywords": [each.strip() for each in given["keywords"].split(",") if each.strip()],
            "authors": [_read_author(line) for line in given["authors"].splitlines() if line.strip()],
            "answers": {
                name: answer.replace("\r\n", "\n")
                for name in QUESTIONS
                if (answer := given[f"{ANSWER}{name}"])
            },
        }

    @property
    def options(self) -> Options:
        """What else is released."""
        given = self.cleaned_data
        return Options(with_secret=given["with_secret"], layouts=tuple(map(Layout, given["layouts"])))

    @property
    def others(self) -> list[Campaign]:
        """Other campaigns that are released with it."""
        return list(self.cleaned_data.get("further", ()))

    def refuse(self, error: AboutError) -> None:
        """Show what is wrong at its field."""
        field = error.key.replace("answers.", ANSWER)
        if field not in self.fields:
            field = re.split(r"[ .]", error.key, maxsplit=1)[0]
        self.add_error(field if field in self.fields else None, error.cause)


def released_with(campaign: Campaign) -> QuerySet[Campaign]:
    """The campaigns that can be released with this one, by name."""
    states = (CampaignState.CLOSED, CampaignState.IMPORTED)
    others = Campaign.objects.filter(corpus=campaign.corpus_id, state__in=states)
    return others.exclude(pk=campaign.pk).order_by("name")


def initial_of(campaign: Campaign, last: DataRelease | None) -> dict[str, Any]:
    """What the form of a new release begins with: what the last one stated, with the next version."""
    today = timezone.localdate()
    if last is None:
        return {"title": str(campaign), "version": "1.0.0", "date": today, "licence": "CC-BY-4.0"}
    stated = last.about
    return {
        **{key: value for key, value in stated.items() if isinstance(value, str | bool)},
        **{f"{ANSWER}{name}": answer for name, answer in stated["answers"].items()},
        "version": _next(last.version) if last.is_written else last.version,
        "date": today,
        "licence": _written_licence(stated["licence"]),
        "text_licence": _written_licence(stated.get("text_licence", "")),
        "keywords": ", ".join(stated["keywords"]),
        "authors": "\n".join(map(_written_author, stated["authors"])),
        **last.options,
        "further": [each.uuid for each in last.campaigns if each != campaign],
    }


def _next(version: str) -> str:
    if not VERSION.fullmatch(version):
        return version
    first, second, _ = map(int, version.split("."))
    return f"{first}.{second + 1}.0"


def _read_licence(text: str) -> str | dict[str, str]:
    """An identifier, or the name and the address of another licence."""
    other = OTHER_LICENCE.fullmatch(text.strip())
    return text.strip() if text.strip() in LICENCES or other is None else other.groupdict()


def _written_licence(licence: str | Mapping[str, str]) -> str:
    return licence if isinstance(licence, str) else f"{licence['name']} {licence['url']}"


def _read_author(line: str) -> dict[str, str]:
    name, *rest = (part.strip() for part in line.split(";", maxsplit=2))
    family, _, given = (part.strip() for part in name.partition(","))
    affiliation, orcid = (*rest, "", "")[:2]
    return {"family": family, "given": given, "affiliation": affiliation, "orcid": orcid}


def _written_author(author: Mapping[str, str]) -> str:
    name = ", ".join(filter(None, (author["family"], author.get("given", ""))))
    parts: Sequence[str] = (name, author.get("affiliation", ""), author.get("orcid", ""))
    return "; ".join(parts).rstrip("; ")
