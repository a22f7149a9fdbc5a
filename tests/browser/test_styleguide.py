"""Every component is accessible in both schemes and fits a phone."""

import pytest

from tests.browser.conftest import NewVisitor
from tests.browser.visits import LOOKS


@pytest.mark.urls("tests.browser.styleguide_urls")
@pytest.mark.parametrize(("scheme", "device"), LOOKS)
def test_all_components(new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str) -> None:
    new_visitor(scheme=scheme, device=device).visit("/styleguide/")
