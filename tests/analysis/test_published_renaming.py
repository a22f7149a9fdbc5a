"""Names of outputs in published results without names of systems."""

import json

from analysis.publishing.renaming import Renaming, kept_names
from formats.propensities import propensities_fault, propensities_text

PROPENSITIES = {"aa": [1.0, 2.0, 3.0], "bb": [2.0, 4.0, 5.0], "cc": [3.0, 5.0, 6.0]}


def test_propensities_stay_with_their_outputs() -> None:
    """Digests with a salt have another order, and the lists follow it."""
    for number in range(20):
        renaming = Renaming({}, salt=bytes([number]))
        renamed = json.loads(renaming.propensities(propensities_text(PROPENSITIES)) or "")
        assert propensities_fault(renamed) is None
        order = sorted(renamed)
        for one in PROPENSITIES:
            for column, other in enumerate(PROPENSITIES):
                place = order.index(str(renaming.output(other)))
                assert renamed[str(renaming.output(one))][place] == PROPENSITIES[one][column]


def test_propensities_with_names_stay_as_they_are() -> None:
    text = propensities_text(PROPENSITIES)
    assert kept_names(["Alder"]).propensities(text) == text
    assert Renaming({}, salt=b"salt").propensities(None) is None
