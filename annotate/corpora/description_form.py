"""The form in which the description of a corpus is changed."""

from pathlib import Path
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from annotate.corpora.describing import DESCRIBED, changes_source
from annotate.corpora.tokenisation import detected_tokenisation
from annotate.models import Corpus, System, SystemRole
from annotate.models.corpora import Tokenisation, validate_heading
from annotate.web.languages import LanguageField
from formats import MAX_NAME_CHARS, FormatError
from formats.naming import SystemNames, clashes, fault_of_family, fault_of_label
from formats.text.characters import name_fault
from formats.text.lines import plain_text

MOST_TEXTS_READ = 500
"""Sentences by which the form tells how a corpus is probably written."""


class DescriptionForm(forms.Form):
    """Title, language and tokenisation of a corpus, labels, roles and families of its systems, and domains.

    Attributes:
        systems: the systems, in order.
    """

    name = forms.CharField(max_length=MAX_NAME_CHARS, label="Title", validators=[validate_heading])
    tokenisation = forms.ChoiceField(
        choices=Tokenisation.choices,
        required=False,
        help_text="Metrics take what stands between blanks as tokens. People see tokens as natural text: "
        "“don’t know.” for “do n’t know .”, except in campaigns that have been launched already.",
    )
    holds_essays = forms.BooleanField(
        required=False,
        label="Its texts are whole essays",
        help_text="Annotators see an essay in paragraphs, the original beside the correction, and protocols "
        "for single sentences are not offered. ¶ between blanks stands for the end of a line.",
    )
    domains = forms.FileField(
        required=False,
        help_text="A text file with the domain of each sentence, one per line, in place of the present ones.",
    )

    def __init__(
        self,
        corpus: Corpus,
        sent: QueryDict | None = None,
        files: "MultiValueDict[str, UploadedFile[bytes]] | None" = None,
    ) -> None:
        super().__init__(sent, files, label_suffix="")
        self.corpus = corpus
        self.systems = list(corpus.systems.order_by("name"))
        self.fields["language"] = LanguageField(
            stored=corpus.language,
            help_text="Metrics that are for one language become available or unavailable with it.",
        )
        if not corpus.tokenisation and (told := detected_tokenisation(_first_texts(corpus))):
            self.fields[
                "tokenisation"
            ].help_text += f" The sentences of this corpus look like {told.label.partition(':')[0].lower()}."
        self.initial.update((field, getattr(corpus, field)) for field in DESCRIBED)
        for system in self.systems:
            self._add_system(system)
        self.order_fields(["name", "language", "tokenisation", "holds_essays", "domains"])

    def _add_system(self, system: System) -> None:
        label = forms.CharField(required=False, label=f"Label of {system}", initial=system.shown)
        role = forms.ChoiceField(choices=SystemRole.choices, label=f"Role of {system}", initial=system.role)
        family = forms.CharField(required=False, label=f"Family of {system}", initial=system.family)
        for name, field in (("label", label), ("role", role), ("family", family)):
            field.widget.attrs["aria-label"] = field.label
            self.fields[f"{name}-{system.pk}"] = field

    def described(self) -> list[forms.BoundField]:
        """The fields about the corpus as a whole."""
        return [self[name] for name in ("name", "language", "tokenisation", "holds_essays", "domains")]

    def rows(self) -> list[tuple[System, list[tuple[str, forms.BoundField]]]]:
        """Each system with the fields of its label, role and family under their headings."""
        return [
            (
                system,
                [(name.capitalize(), self[f"{name}-{system.pk}"]) for name in ("label", "role", "family")],
            )
            for system in self.systems
        ]

    def names(self) -> dict[str, SystemNames]:
        """Label, role and family of each system in the valid form, by name."""
        names = {}
        for system in self.systems:
            label = self.cleaned_data.get(f"label-{system.pk}", "")
            role = self.cleaned_data.get(f"role-{system.pk}", system.role)
            family = self.cleaned_data.get(f"family-{system.pk}", "")
            label = "" if label == system.name else label
            names[system.name] = SystemNames(system.name, label, role, family)
        return names

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if Corpus.objects.filter(name=name).exclude(pk=self.corpus.pk).exists():
            raise ValidationError("Another corpus has this name. Choose a different one.")
        return name

    def clean_domains(self) -> list[str] | None:
        file = self.cleaned_data["domains"]
        if not file:
            return None
        path = Path(str(file.name))
        try:
            lines = plain_text(file.read(), path).removesuffix("\n").split("\n")
        except FormatError as error:
            raise ValidationError(str(error)) from error
        if len(lines) != self.corpus.sentence_count:
            raise ValidationError(
                f"{path}: {len(lines):,} lines, and the corpus has {self.corpus.sentence_count:,} sentences. "
                "Write the domain of each sentence in a line of its own."
            )
        for number, line in enumerate(lines, start=1):
            if fault := _domain_fault(line):
                raise ValidationError(f"{path}, line {number}: the domain {fault}.")
        return lines

    def clean(self) -> dict[str, Any]:
        cleaned = cast(dict[str, Any], super().clean())
        names = self.names()
        by_name = {system.name: system for system in self.systems}
        for system in self.systems:
            if fault := fault_of_label(names[system.name].label):
                self.add_error(f"label-{system.pk}", fault)
            if fault := fault_of_family(names[system.name].family):
                self.add_error(f"family-{system.pk}", fault)
        for name, _, said in clashes(names):
            self.add_error(f"label-{by_name[name].pk}", said)
        sources = [system for system in self.systems if names[system.name].role == SystemRole.SOURCE]
        for system in sources:
            if system.role != SystemRole.SOURCE and changes_source(system):
                self.add_error(f"role-{system.pk}", "It changes the source, so it cannot be the source.")
        for system in sources[1:]:
            said = f"{sources[0].shown} is already the source; there can be only one."
            self.add_error(f"role-{system.pk}", said)
        return cleaned


def _first_texts(corpus: Corpus) -> list[str]:
    texts = corpus.sentences.exclude(text=None).order_by("position").values_list("text", flat=True)
    return [text or "" for text in texts[:MOST_TEXTS_READ]]


def _domain_fault(line: str) -> str:
    """Why the line cannot be a domain; empty if it can."""
    if len(line) > MAX_NAME_CHARS:
        return f"has more than {MAX_NAME_CHARS} characters"
    return "starts or ends with a blank" if line != line.strip() else name_fault(line)
