"""Forms of a page, filled in as received, as a browser without scripts would send them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

Filled = Mapping[str, Sequence[str]]


@dataclass
class Form:
    """A form.

    Attributes:
        action: where it is sent; empty for the address of its page.
        fields: what is filled in, by name.
        choices: the values of radio buttons, check boxes and buttons, chosen or not, by name.
    """

    action: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open: Form | None = None
        self._text_area = self._selection = ""
        """Names of what is open."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name = given.get("name", "")
        if tag == "form":
            self._open = Form(given.get("action", ""))
            self.forms.append(self._open)
        elif self._open is None:
            return
        elif tag == "textarea":
            self._text_area = name
            self._open.fields[name] = [""]
        elif tag == "select":
            self._selection = name
        elif tag == "option" and self._selection:
            self._choice(self._selection, given, chosen="selected" in given)
        elif tag == "button" and name:
            self._choice(name, given, chosen=False)
        elif tag == "input" and name and given.get("type") in ("radio", "checkbox"):
            self._choice(name, given, chosen="checked" in given)
        elif tag == "input" and name:
            self._open.fields.setdefault(name, []).append(given.get("value", ""))

    def _choice(self, name: str, given: Mapping[str, str], *, chosen: bool) -> None:
        assert self._open is not None
        self._open.choices.setdefault(name, []).append(given.get("value", "on"))
        if chosen:
            self._open.fields.setdefault(name, []).append(given.get("value", "on"))

    def handle_data(self, data: str) -> None:
        if self._open is not None and self._text_area:
            [before] = self._open.fields[self._text_area]
            self._open.fields[self._text_area] = [before + data if before else data.removeprefix("\n")]

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._text_area = ""
        elif tag == "select" and self._open is not None:
            # A browser chooses the first unless the page says which.
            self._open.fields.setdefault(self._selection, self._open.choices.get(self._selection, [])[:1])
            self._selection = ""
        elif tag == "form":
            self._open = None


def form_in(page: str, *, having: str) -> Form:
    """The first form of the page that has a field, choice or button of this name.

    Raises:
        LookupError: no form has.
    """
    reader = _Reader()
    reader.feed(page)
    for form in reader.forms:
        if having in form.fields or having in form.choices:
            return form
    raise LookupError(f"No form of the page has {having!r}.")
