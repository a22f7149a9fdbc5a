"""How systems and annotators are called in tables, figures and sentences."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

SYNTHETIC = "(synthetic)"
"""What titles say of simulated judgments."""


class ShownAnnotator(NamedTuple):
    """Shown name of an annotator; the name is empty for users who may not see it.

    Attributes:
        key: their pseudonym, the key in results.
        number: number in the campaign; None if they were deleted since.
        own_name: the name that they were given, if any.
        campaign: the name of their campaign if it is another than the page's.
        is_machine: whether it is a program; machines are numbered apart.
    """

    key: str
    number: int | None = None
    own_name: str = ""
    campaign: str = ""
    is_machine: bool = False

    @property
    def known_as(self) -> str:
        """The name on pages and figures."""
        kind = "Machine" if self.is_machine else "Annotator"
        name = f"{kind} {self.number}" if self.number else f"Deleted annotator {self.key[-4:]}"
        return f"{name} of {self.campaign}" if self.campaign else name


ShownAnnotators = Mapping[str, ShownAnnotator]
"""The annotators of a campaign by key."""


@dataclass(frozen=True, slots=True)
class Naming:
    """The names that figures and tables use.

    Attributes:
        title: begins the titles of figures.
        labels: of systems that have one, by name.
        roles: of systems, by name.
        annotators: annotators by key.
        by_key: whether annotators are called by their keys, as in terminals.
    """

    title: str
    labels: Mapping[str, str]
    roles: Mapping[str, str]
    annotators: ShownAnnotators
    by_key: bool = False

    def label(self, system: str) -> str:
        """The label of a system, or its name if it has none."""
        return self.labels.get(system, system)

    def corrector(self, name: str, *, is_person: bool) -> str:
        """The label of a system, or the name of a person, which may be only a number: "annotator 0"."""
        if not is_person:
            return self.label(name)
        return f"annotator {name}" if name.isdecimal() else name

    def distinct_labels(self, systems: Iterable[str]) -> dict[str, str]:
        """The labels of systems by name, for figures, which tell systems apart by label.

        A label that two of them share has the name added.
        """
        shown = {name: self.label(name) for name in systems}
        times = Counter(shown.values())
        return {name: label if times[label] == 1 else f"{label} ({name})" for name, label in shown.items()}

    def shown_annotator(self, key: str) -> ShownAnnotator:
        """The annotator of this key."""
        return self.annotators.get(key) or ShownAnnotator(key)

    def with_annotators(self, text: str) -> str:
        """The text, with what annotators are called in place of their keys."""
        if text and not self.by_key:
            for key in sorted(self.annotators, key=len, reverse=True):
                text = text.replace(key, self.annotators[key].known_as)
        return text

    def place(self, key: str) -> tuple[object, ...]:
        """The sorting key of an annotator: campaign and number, deleted ones last."""
        shown = self.shown_annotator(key)
        return not shown.number, shown.campaign, shown.is_machine, shown.number or 0, key

    def annotator(self, key: str) -> str:
        """The name of the annotator of this key."""
        return key if self.by_key else self.shown_annotator(key).known_as
