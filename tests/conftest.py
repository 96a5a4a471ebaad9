"""What all tests share: `pytest --redraw` writes pictures and generated tables anew."""

import pytest
from hypothesis import settings

# The same draws every time, and no clock: a slow machine is no fault.
settings.register_profile("tests", derandomize=True, deadline=None)
settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--redraw", action="store_true", help="write pictures and generated tables anew"
    )


@pytest.fixture
def redraw(request: pytest.FixtureRequest) -> bool:
    """Whether what is compared should be written anew instead."""
    return bool(request.config.getoption("--redraw"))
