"""What all tests share: `pytest --redraw` writes pictures and generated tables anew.

`make soak ONLY=compiled` runs the rules' tests with `--compiled`, which proves that they test the
compiled core.
"""

import pytest
from hypothesis import is_hypothesis_test, settings

from tests.asked import extent
from tests.core import describe_core, is_compiled
from tests.pi_app.texts import shown

# The same draws every time, and no clock: a slow machine is no fault.
settings.register_profile(
    "tests", derandomize=True, deadline=None, max_examples=extent(25, soak=100)
)
settings.load_profile("tests")

# How the names of those tests begin that cannot apply to compiled modules, by the reason.
ONLY_PURE = {
    "compiled code takes True for 1 and refuses other types by itself, with TypeError": (
        "test_a_seat_is_an_int",
        "test_a_position_is_taken_up_by_a_seat_that_has_thrown_no_doublet_or_some[0-True-",
        "test_a_position_is_taken_up_by_a_seat_that_has_thrown_no_doublet_or_some[False-",
        "test_a_position_is_taken_up_by_a_seat_that_has_thrown_no_doublet_or_some[2.0-",
        "test_what_would_not_read_back_is_refused_in_one_sentence",
    ),
    "it derives a class from a compiled one": (
        "test_plays_are_found_one_by_one",
        "test_results_do_not_depend_on_the_order_of_the_search",
    ),
    "compiled modules and classes keep no docstring": (
        "test_a_table_is_what_the_data_says[modules]",
        "test_a_public_name_has_a_docstring",
    ),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--redraw", action="store_true", help="write pictures and generated tables anew"
    )
    parser.addoption(
        "--compiled", action="store_true", help="fail unless the rules are the compiled ones"
    )


def pytest_configure(config: pytest.Config) -> None:
    if is_compiled() != config.getoption("--compiled"):
        raise pytest.UsageError(describe_core())

    if config.getoption("--redraw"):
        shown.recorder = shown.Recorder(list(shown.kept_lines()))


def pytest_unconfigure() -> None:
    if shown.recorder is not None:
        shown.recorder.write()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.soak)  # which draws more
    # First, so that one worker has all of them: others would draw all screens once more.
    items.sort(key=lambda item: "words" not in item.path.parts)
    if config.getoption("--compiled"):
        for reason, names in ONLY_PURE.items():
            for item in items:
                if item.name.startswith(names):
                    item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture
def redraw(request: pytest.FixtureRequest) -> bool:
    """Whether what is compared should be written anew instead."""
    return bool(request.config.getoption("--redraw"))
