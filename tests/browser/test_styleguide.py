"""Every component is accessible in both schemes and fits a phone."""

import pytest
from pytest_django.fixtures import SettingsWrapper

from tests.browser.conftest import NewVisitor
from tests.browser.visits import LOOKS


@pytest.mark.parametrize(("scheme", "device"), LOOKS)
def test_all_components(
    new_visitor: NewVisitor, transactional_db: None, settings: SettingsWrapper, scheme: str, device: str
) -> None:
    settings.ROOT_URLCONF = "tests.browser.styleguide_urls"
    new_visitor(scheme=scheme, device=device).visit("/styleguide/")
