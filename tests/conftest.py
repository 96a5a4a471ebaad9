"""What all tests share: `pytest --redraw` writes pictures and generated tables anew."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--redraw", action="store_true", help="write pictures and generated tables anew"
    )


@pytest.fixture
def redraw(request: pytest.FixtureRequest) -> bool:
    """Whether what is compared should be written anew instead."""
    return bool(request.config.getoption("--redraw"))
