"""Long forms in groups: fields that are rarely needed, or depend on another answer, are folded away."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields under a heading.

    Attributes:
        legend: the heading.
        fields: those that are always shown.
        seldom: those that are folded away.
        is_open: whether these are shown nevertheless, because of an error or an answer.
    """

    legend: str
    fields: Sequence[forms.BoundField]
    seldom: Sequence[forms.BoundField]
    is_open: bool


class GroupedFields(forms.BaseForm):
    """A form whose fields are grouped under headings (`templates/annotate/web/_field_groups.html`).

    Attributes:
        GROUPS: the names of the fields by heading, in order. A form may have groups of its own.
        SELDOM: fields that are folded away within their group.
        FOLDED: headings of groups that are folded away together, below the others.
        ONLY_IF: fields that mean something only if one of the conditions holds, with blanks between: `name`,
            which holds if that field is ticked or neither empty nor 0, or `name=value`. `static/js/form.js`
            hides them otherwise; nothing on the server depends on it.
    """

    GROUPS: Mapping[str, tuple[str, ...]]
    SELDOM: ClassVar[frozenset[str]] = frozenset()
    FOLDED: ClassVar[tuple[str, ...]] = ()
    ONLY_IF: Mapping[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""

    @property
    def is_new(self) -> bool:
        """Whether it has its initial value, so that folding hides no answer."""
        return not self.is_bound

    def shows(self, fields: Sequence[forms.BoundField]) -> bool:
        """Whether these fields are shown although they are rarely needed: folding would hide something."""
        return not self.is_new or any(field.errors for field in fields)

    def groups(self) -> Iterator[FieldGroup]:
        """The groups that are not folded away, in order."""
        return (self._group(legend) for legend in self.GROUPS if legend not in self.FOLDED)

    def folded(self) -> list[FieldGroup]:
        """The groups that are folded away together, without those that have no fields."""
        return [self._group(legend) for legend in self.FOLDED if self.GROUPS[legend]]

    def shows_folded(self) -> bool:
        """Whether the groups that are folded away are open."""
        return self.shows([field for group in self.folded() for field in group.fields])

    def _group(self, legend: str) -> FieldGroup:
        names = self.GROUPS[legend]
        seldom = [self._field(name) for name in names if name in self.SELDOM]
        often = [self._field(name) for name in names if name not in self.SELDOM]
        return FieldGroup(legend, often, seldom, self.shows(seldom))

    def _field(self, name: str) -> forms.BoundField:
        if condition := self.ONLY_IF.get(name):
            self.fields[name].widget.attrs["data-only-if"] = condition
        return self[name]
