"""Forms of uploads."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict

from annotate.imports.fields import FilesField, OneFileField, kept_name
from annotate.models.corpora import validate_heading
from annotate.models.listed import corpora
from annotate.web.field_groups import GroupedFields
from annotate.web.languages import LanguageField
from formats import named_after
from formats.naming import SameIdentifierError, identifiers_of

MOST_NAME_BYTES = 200
"""Longer file names do not fit every file system."""

WHOLE_CORPORA = {
    "answers": "A table of answers",
    "jsonl": "A JSON Lines file",
    "essays": "A set of MultiGEC’s files",
}
"""The fields of files that are a whole corpus."""


class UploadForm(GroupedFields, forms.Form):
    """Base of upload forms, whose answers are files and options, which are JSON.

    Attributes:
        kept: names by field of the files that an earlier attempt has left here.
    """

    name = forms.CharField(max_length=200, validators=[validate_heading], help_text="Unique in Assay.")

    def __init__(
        self,
        *args: object,
        kept: Mapping[str, Sequence[str]] | None = None,
        faulty: Collection[tuple[str, str]] = (),
        **kwargs: object,
    ) -> None:
        """The form; of the files that are `kept`, those named in `faulty` are not kept unless asked for."""
        super().__init__(*args, **kwargs)
        self.kept = kept or {}
        for field in self._file_fields():
            wanted = (
                cast(MultiValueDict[str, str], self.data).getlist(kept_name(field))
                if self.is_bound
                else [name for name in self.kept.get(field, []) if (field, name) not in faulty]
            )
            ticked = {name: name in wanted for name in self.kept.get(field, [])}
            self.fields[field].widget.kept = ticked
            self.fields[field].required = self.fields[field].required and not any(ticked.values())

    @property
    def is_new(self) -> bool:
        """The earlier answers are shown."""
        return super().is_new and not self.initial

    def options(self) -> dict[str, Any]:
        """The answers without the files, as JSON."""
        return {name: value for name, value in self.cleaned_data.items() if name not in self._file_fields()}

    def uploaded(self) -> dict[str, list["UploadedFile[bytes]"]]:
        """The new files by field; fields without any are left out."""
        files = {name: self.cleaned_data.get(name) or [] for name in self._file_fields()}
        listed = {name: sent if isinstance(sent, list) else [sent] for name, sent in files.items()}
        return {name: sent for name, sent in listed.items() if sent}

    def still_kept(self, new: Mapping[str, Sequence["UploadedFile[bytes]"]]) -> dict[str, list[str]]:
        """The names by field of earlier files that are still wanted: `new` ones replace their namesakes."""
        still = {}
        for field in self._file_fields():
            names = {str(file.name) for file in new.get(field, [])}
            replaced = bool(names) and not isinstance(self.fields[field], FilesField)
            ticked = self.fields[field].widget.kept
            still[field] = [
                name for name, wanted in ticked.items() if wanted and not replaced and name not in names
            ]
        return {field: names for field, names in still.items() if names}

    def file_names(self) -> dict[str, list[str]]:
        """The names by field of all files, earlier and new."""
        new = self.uploaded()
        names = self.still_kept(new)
        for field, files in new.items():
            names[field] = names.get(field, []) + [str(file.name) for file in files]
        return names

    def acceptable(self) -> dict[str, list["UploadedFile[bytes]"]]:
        """The new files by field that are fine by themselves, to be kept until the rest is corrected."""
        files_by_field: dict[str, list[UploadedFile[bytes]]] = {}
        for field in self._file_fields():
            sent = self.files.getlist(field)
            names = Counter(str(file.name) for file in sent)
            files_by_field[field] = [
                file
                for file in sent
                if file.size and names[str(file.name)] == 1 and not _is_too_long(str(file.name))
            ]
        return {field: files for field, files in files_by_field.items() if files}

    def show_as_kept(self, kept: Mapping[str, Sequence[str]]) -> None:
        """Show these names, by field, as files that were already sent."""
        for field in self._file_fields():
            self.fields[field].widget.kept = dict.fromkeys(kept.get(field, []), True)

    def clean(self) -> dict[str, object]:
        for field, files in self.uploaded().items():
            _check_names(self, field, [str(file.name) for file in files])
        return self.cleaned_data

    def _file_fields(self) -> list[str]:
        return [name for name, field in self.fields.items() if isinstance(field, forms.FileField)]


class CorpusUpload(UploadForm):
    """A corpus: parallel text, JSON Lines, or people's answers to the same sentences."""

    language = LanguageField(help_text="Some metrics are for English only. It can be changed later.")
    source = OneFileField(required=False, label="Source sentences", help_text="One sentence per line.")
    systems = FilesField(
        required=False,
        label="Outputs of systems",
        help_text="One file per system, named after the system, with as many lines as the source. "
        "Names and roles can be changed before anything is stored.",
    )
    references = FilesField(
        required=False,
        label="References as text",
        help_text="One file per annotator, named after the annotator.",
    )
    m2 = FilesField(required=False, label="References as M2")
    documents = OneFileField(required=False, help_text="The document of each sentence.")
    domains = OneFileField(required=False, help_text="The domain of each sentence.")
    absent = forms.ChoiceField(
        label="An M2 annotator without a line at a sentence",
        choices=[
            ("auto", "has not seen it in files of several annotators, left it unchanged in files of one"),
            ("absent", "has not seen it"),
            ("unchanged", "left it unchanged"),
        ],
        widget=forms.RadioSelect,
        initial="auto",
    )
    lenient = forms.BooleanField(
        required=False,
        label="Repair M2 spans",
        help_text="Those that end past their sentence are clipped, with a warning.",
    )
    jsonl = OneFileField(required=False, label="JSON Lines", help_text="Instead of all the files above.")
    answers = OneFileField(
        required=False,
        label="Several people’s answers",
        help_text="A table with the columns sentence and correction (or simplification), such as a pilot "
        "that shows how many references are needed. Answers become references, apart from those with the "
        "status Rejected.",
    )
    essays = FilesField(
        required=False,
        label="Essays (MultiGEC)",
        help_text="Markdown of one subcorpus and split: originals, references and systems, named as in "
        "MultiGEC, such as cs-natwebinf-orig-dev.md. Each essay becomes one sentence, in which ¶ stands for "
        "the end of a line.",
    )

    GROUPS = {
        "Corpus": ("name", "language"),
        "Parallel text": (
            "source",
            "systems",
            "references",
            "m2",
            "absent",
            "lenient",
            "documents",
            "domains",
        ),
        "Or everything in one file": ("jsonl", "answers"),
        "Or whole essays": ("essays",),
    }
    SELDOM = frozenset({"documents", "domains"})
    ONLY_IF = {"absent": "m2", "lenient": "m2"}

    def clean(self) -> dict[str, object]:
        cleaned = super().clean()
        names = self.file_names()
        fields = set(names)
        whole = fields & set(WHOLE_CORPORA)
        if whole and len(fields) > 1:
            field = min(whole)
            self.add_error(field, f"{WHOLE_CORPORA[field]} contains everything: leave the other files out.")
        elif not whole and not self.errors:
            self.require_files(fields)
        for field in ("systems", "references"):
            called = Counter(map(named_after, names.get(field, [])))
            if twice := [name for name, number in called.items() if number > 1]:
                self.add_error(field, f"Two files are called “{twice[0]}”, apart from their extensions.")
        try:
            identifiers_of(dict.fromkeys(map(named_after, names.get("systems", []))))
        except SameIdentifierError as error:
            self.add_error("systems", f"{error} Rename one of the files.")
        return cleaned

    def require_files(self, given: Collection[str]) -> None:
        """Add an error if the files of these fields are not enough."""
        if "source" not in given:
            self.add_error(
                "source", "Give the source sentences, a JSON Lines file, a table of answers or essays."
            )


class AdditionUpload(CorpusUpload):
    """Systems and references for an existing corpus: all files of a corpus except those of its sentences."""

    name = None  # type: ignore[assignment]  # Django leaves out such fields of the base class.
    language = None  # type: ignore[assignment]
    source = None  # type: ignore[assignment]
    documents = None  # type: ignore[assignment]
    domains = None  # type: ignore[assignment]
    essays = None  # type: ignore[assignment]

    GROUPS = {
        "Systems": ("systems",),
        "References": ("references", "m2", "absent", "lenient"),
        "Or everything in one file": ("jsonl", "answers"),
    }
    SELDOM = frozenset()

    def require_files(self, given: Collection[str]) -> None:
        """Add an error if there is no file."""
        if not given:
            self.add_error(None, "Give a file of outputs or of references.")


class JudgmentsUpload(UploadForm):
    """Judgments that were collected elsewhere."""

    judgments = OneFileField(
        help_text="Appraise XML, WMT CSV, MultiGEC's ratings of essays, error spans of Appraise or pearmut, "
        "or an export from Assay (CSV, JSON Lines or Parquet). The format is recognised by the content.",
    )
    batches = OneFileField(
        required=False,
        label="Appraise’s batches",
        help_text="Only for error spans of Appraise: the JSON file with the texts that were judged.",
    )
    corpus = forms.ModelChoiceField(
        queryset=corpora(),
        to_field_name="uuid",
        required=False,
        empty_label="none: outputs are identified by their systems only",
        help_text="The corpus that was judged.",
    )
    first_sentence = forms.IntegerField(
        required=False,
        label="Number of the first sentence",
        help_text="As counted in the file. Leave empty for the usual: 1 in WMT CSV, 0 in all other formats.",
    )
    synthetic = forms.BooleanField(
        required=False, label="Simulated", help_text="They are labelled as simulated wherever they are shown."
    )

    GROUPS = {
        "Judgments": ("name", "judgments", "batches", "synthetic"),
        "Corpus": ("corpus", "first_sentence"),
    }

    def clean(self) -> dict[str, object]:
        cleaned = super().clean()
        if cleaned.get("first_sentence") is not None and not cleaned.get("corpus"):
            self.add_error("first_sentence", "This number refers to a corpus: choose one, too.")
        return cleaned

    def options(self) -> dict[str, Any]:
        options = super().options()
        return {**options, "corpus": options["corpus"] and str(options["corpus"].uuid)}


class JudgmentsOfCorpusUpload(JudgmentsUpload):
    """Judgments as researchers import them: of an existing corpus, so that no corpus is created."""

    corpus = forms.ModelChoiceField(
        queryset=corpora(),
        to_field_name="uuid",
        empty_label="choose a corpus",
        help_text="The corpus that was judged; each judgment is checked against its texts.",
    )


def _check_names(form: UploadForm, field: str, names: Sequence[str]) -> None:
    if twice := [name for name, number in Counter(names).items() if number > 1]:
        form.add_error(field, f"“{twice[0]}” is given twice.")
    if any(map(_is_too_long, names)):
        form.add_error(field, f"A file name is longer than {MOST_NAME_BYTES} bytes.")


def _is_too_long(name: str) -> bool:
    return len(name.encode()) > MOST_NAME_BYTES
