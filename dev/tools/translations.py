"""Collects the texts of annotators' pages, and updates the translations in `locale/`.

`make translations` after a text was added or changed, and after a translation was edited: it writes each
`django.po` anew, sorted and without places and dates, compiles it, and lists what is left to do.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from gettext import c2py
from io import BytesIO
from pathlib import Path

import django
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from annotate.design.practice import without_practice
from annotate.design.protocols import PROTOCOLS
from annotate.design.protocols.defaults import paragraphs

ROOT = Path(__file__).resolve().parents[2]
LOCALES = ROOT / "locale"
CODE = ("annotate", "config", "core", "formats")
KEYWORDS = {"gettext": None, "translatable": None, "_": None, "ngettext": (1, 2)}
NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
VARYING = re.compile(
    r'^"(Project-Id-Version|Report-Msgid-Bugs-To|POT-Creation-Date|PO-Revision-Date|Last-Translator'
    r"|Language-Team|Generated-By): .*\n",
    re.MULTILINE,
)
"""Lines of the header that say nothing, or change with each run."""
PLACEHOLDER = re.compile(r"%\([a-z_]+\)s|\{[a-z]+\}|</?[a-z]+\b")
"""What a translation keeps: values that are filled in, and markup."""
LONE_PERCENT = re.compile(r"%(?![(%])")


def texts() -> Catalog:
    """All texts that have to be translated."""
    catalog = Catalog(charset="utf-8")
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            _collect(catalog, path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "templates").rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        if "translate" in text or "_(" in text:
            _collect(catalog, "\n".join(map(str.lstrip, templatize(text).splitlines())))
    for protocol in PROTOCOLS.values():
        for paragraph in paragraphs(without_practice(protocol.guidelines)):
            catalog.add(paragraph)
    return catalog


def translation(path: Path) -> Catalog:
    """A stored translation."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], charset="utf-8")


def faults(path: Path, wanted: Catalog) -> Iterator[str]:
    """What is missing, stale or wrong in a stored translation of these texts."""
    catalog = translation(path)
    stored = {message.id: message for message in catalog if message.id}
    ids = {message.id for message in wanted if message.id}
    for message_id in ids:
        message = stored.get(message_id)
        if message is None or not all(_strings(message.string)) or not message.string:
            yield f"untranslated: {_first(message_id)}"
        elif message.fuzzy:
            yield f"fuzzy: {_first(message_id)}"
        else:
            yield from _differences(message, catalog)
    yield from (f"stale: {_first(message_id)}" for message_id in stored if message_id not in ids)


def update(path: Path, wanted: Catalog) -> None:
    """Give a translation the texts of the program, keep what is translated, and compile it."""
    catalog = translation(path)
    catalog.update(wanted, no_fuzzy_matching=False, update_header_comment=False)
    catalog.fuzzy = False
    if "FIRST AUTHOR" in catalog.header_comment:
        catalog.header_comment = f"# {catalog.locale.english_name}: the pages that annotators see."
    path.write_text(as_text(catalog), encoding="utf-8")
    path.with_suffix(".mo").write_bytes(compiled(path))


def as_text(catalog: Catalog) -> str:
    """The contents of a `django.po` file: sorted, without places and dates."""
    buffer = BytesIO()
    write_po(buffer, catalog, width=0, no_location=True, sort_output=True, ignore_obsolete=True)
    return VARYING.sub("", buffer.getvalue().decode())


def compiled(path: Path) -> bytes:
    """The contents of the `.mo` file of a stored translation."""
    catalog = translation(path)
    catalog.creation_date = catalog.revision_date = NO_DATE
    buffer = BytesIO()
    write_mo(buffer, catalog)
    return buffer.getvalue()


def translations() -> list[Path]:
    """The stored translations."""
    return sorted(LOCALES.glob("*/LC_MESSAGES/django.po"))


def _collect(catalog: Catalog, code: str) -> None:
    for _, found, _, _ in extract("python", BytesIO(code.encode()), keywords=KEYWORDS):
        catalog.add(found)


def _differences(message: Message, catalog: Catalog) -> Iterator[str]:
    """Placeholders and markup that a translation has lost or invented."""
    originals, strings = _strings(message.id), _strings(message.string)
    if len(originals) > 1 and len(strings) != catalog.num_plurals:
        yield f"{len(strings)} forms instead of {catalog.num_plurals}: {originals[0]}"
    kept = [sorted(PLACEHOLDER.findall(text)) for text in originals]
    in_words = _forms_of_one_number(catalog) if len(originals) > 1 else set()
    for form, string in enumerate(strings):
        found = sorted(PLACEHOLDER.findall(string))
        says_number = form in in_words and any(_is_all_but_one(found, each) for each in kept)
        if found not in kept and not says_number:
            yield f"other placeholders or markup: {originals[0]}"
        if '"' in string and '"' not in originals[0]:
            yield f"a straight quotation mark, which would end an attribute: {originals[0]}"
        if LONE_PERCENT.search(string) and not LONE_PERCENT.search(originals[0]):
            yield f"a single % (write %%): {originals[0]}"


def _forms_of_one_number(catalog: Catalog) -> set[int]:
    """The plural forms that stand for one number each, which they may say in words, such as the dual."""
    form_of = c2py(str(catalog.plural_expr))
    forms = Counter(form_of(number) for number in range(1000))
    return {form for form, numbers in forms.items() if numbers == 1}


def _is_all_but_one(found: list[str], kept: list[str]) -> bool:
    return Counter(found) < Counter(kept) and len(kept) - len(found) == 1


def _strings(texts: str | Sequence[str] | None) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts or ())


def _first(message_id: str | Sequence[str]) -> str:
    return _strings(message_id)[0]


def main() -> None:
    """Update all translations, and say what is left to do in each."""
    django.setup()
    wanted = texts()
    is_complete = True
    for path in translations():
        update(path, wanted)
        left = sorted(faults(path, wanted))
        is_complete = is_complete and not left
        print(f"{path.parts[-3]}: {len(wanted)} texts, {len(left)} to do")
        for line in left:
            print(f"  {line}")
    sys.exit(not is_complete)


if __name__ == "__main__":
    main()
