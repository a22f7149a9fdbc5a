"""The table of roles in the documentation matches the code for every address."""

import re
from collections import Counter

from django.conf import settings

from tests.config.addresses import PATTERNS
from tests.config.test_access_rules import EXPECTED, OPEN

ROLES = ("stranger", "annotator", "researcher", "admin")
ROW = re.compile(r"^\|[^|]+\|((?: `[\w-]+`,?)+) \|(.+)\|$", re.M)
DOCUMENTED = {
    name: [cell.strip() for cell in cells.split("|")]
    for names, cells in ROW.findall((settings.BASE_DIR / "docs" / "roles.md").read_text())
    for name in re.findall(r"[\w-]+", names)
}


def test_every_address_stands_in_the_table_once() -> None:
    text = (settings.BASE_DIR / "docs" / "roles.md").read_text()
    counts = Counter(name for names, _ in ROW.findall(text) for name in re.findall(r"[\w-]+", names))
    assert counts == Counter(PATTERNS.keys())


def test_the_table_agrees_with_the_rules() -> None:
    assert {name: in_words(PATTERNS[name].callback.rule) for name in PATTERNS} == DOCUMENTED  # type: ignore[attr-defined]


def in_words(rule: str) -> list[str]:
    """The words of this rule in the columns of the roles."""
    if rule == "entered":
        return ["invited"] * len(ROLES)
    if rule == "monitor":
        return ["token"] * len(ROLES)
    if rule == "machine's program":
        return ["machine"] * len(ROLES)
    return ["yes" if EXPECTED[rule][role] == OPEN else "–" for role in ROLES]
