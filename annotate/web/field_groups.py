"""Long forms in groups: fields that are rarely needed, or depend on another answer, are folded away."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django import forms


class GroupedFields(forms.BaseForm):
    """A form whose fields are grouped under headings (`templates/annotate/_field_groups.html`).

    Attributes:
        GROUPS: the names of the fields by heading, in order. A form may have groups of its own.
        SELDOM: fields that are folded away while they have their initial values.
        ONLY_IF: fields that mean something only if one of the conditions holds, with blanks between: `name`,
            which holds if that field is ticked or neither empty nor 0, or `name=value`. `static/js/form.js`
            hides them otherwise; nothing on the server depends on it. A form may have conditions of its own.
    """

    GROUPS: Mapping[str, tuple[str, ...]]
    SELDOM: ClassVar[frozenset[str]] = frozenset()
    ONLY_IF: Mapping[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""

    @property
    def is_new(self) -> bool:
        """Whether it has its initial value, so that folding hides no answer."""
        return not self.is_bound

    def groups(self) -> Iterator[tuple[str, list[forms.BoundField], list[forms.BoundField]]]:
        """Heading, fields, and rarely needed fields, in order."""
        for legend, names in self.GROUPS.items():
            yield (
                legend,
                [self._field(name) for name in names if name not in self.SELDOM],
                [self._field(name) for name in names if name in self.SELDOM],
            )

    def _field(self, name: str) -> forms.BoundField:
        if condition := self.ONLY_IF.get(name):
            self.fields[name].widget.attrs["data-only-if"] = condition
        return self[name]
