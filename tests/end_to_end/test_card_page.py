"""card.html writes what `make card` writes, into a folder or a ZIP. Everybody can use it."""

import json
from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from systemd.card.__main__ import make_page, write_card
from systemd.card.card import REFUSALS, Options, Refused, card_files
from tests.end_to_end.page import WAIT_MS
from tests.systemd.cards import CASES, RELEASE, make_card, options_of, read_card

pytestmark = pytest.mark.browser

ADDRESS = "http://localhost/card.html"
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
READY = "The card is ready. Eject it, put it into the Raspberry Pi, and give the Pi power."
# A folder of the browser's own stands for the card: it is of the same kind as one that is chosen.
PUT_CARD = """
async files => {
  const folder = await navigator.storage.getDirectory();
  for await (const name of folder.keys()) await folder.removeEntry(name, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
    await stream.write(text);
    await stream.close();
  }
  window.showDirectoryPicker = async () => folder;
}
"""
READ_CARD = """
async () => {
  const found = {};
  async function read(folder, before) {
    for await (const [name, one] of folder.entries()) {
      if (one.kind === "directory") await read(one, `${before}${name}/`);
      else found[before + name] = [...new Uint8Array(await (await one.getFile()).arrayBuffer())];
    }
  }
  await read(await navigator.storage.getDirectory(), "");
  return found;
}
"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """The page at an address; a browser's own folder has no place in a page from a disk."""

    def answer(route: Route) -> None:
        route.fulfill(body=make_page(RELEASE), content_type="text/html; charset=utf-8")

    page = browser.new_context().new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.route("**/*", answer)
    page.goto(ADDRESS)
    yield page
    assert faults == []


@pytest.fixture
def page_on_disk(browser: Browser, tmp_path: Path) -> Page:
    path = tmp_path / "card.html"
    path.write_text(make_page(RELEASE), encoding="utf-8")
    page = browser.new_context().new_page()
    page.goto(path.as_uri())
    return page


def choose(page: Page, options: Options) -> None:
    page.get_by_label("Your display").select_option(options.driver)
    page.get_by_label("Language").select_option(options.language)
    page.get_by_label("A page for spectators").set_checked(options.page)
    page.get_by_label("Name of the Pi in your network").fill(options.host)


def told(page: Page) -> str:
    """Return what the page says once it has done what was asked."""
    expect(page.locator("#card")).to_be_enabled(timeout=WAIT_MS)
    return page.get_by_role("status").inner_text()


# A field of one line takes no line break.
TYPED = [case for case in CASES if "\n" not in case["options"]["host"]]


def test_the_page_writes_or_refuses_what_the_command_does(page: Page, tmp_path: Path) -> None:
    for case in TYPED:
        (folder := tmp_path / case["case"]).mkdir()
        card, options = make_card(folder, case), options_of(case)
        page.reload()
        page.evaluate(PUT_CARD, case["card"])
        choose(page, options)
        page.get_by_role("button", name="Choose the drive").click()
        said = REFUSALS[case["refused"]] if "refused" in case else READY
        assert told(page) == said, case["case"]
        with suppress(Refused):
            write_card(card, options, RELEASE)
        written = {name: bytes(data) for name, data in page.evaluate(READ_CARD).items()}
        assert written == read_card(card), case["case"]


def test_from_a_disk_it_saves_a_zip_with_the_same_files(page_on_disk: Page, tmp_path: Path) -> None:
    options = Options("sh1106", "de", page=True, host="pachisi")
    text = CASES[0]["card"]["user-data"]
    choose(page_on_disk, options)
    choose_file(page_on_disk, tmp_path / "user-data", text)
    with page_on_disk.expect_download() as download:
        page_on_disk.get_by_role("button", name="Save a ZIP").click()
    with ZipFile(download.value.path()) as packed:
        assert packed.testzip() is None
        unpacked = {name: packed.read(name) for name in packed.namelist()}
    assert unpacked == card_files({"user-data": text, "meta-data": ""}, options, RELEASE)


def choose_file(page: Page, path: Path, text: str) -> None:
    """Open the part of the page that saves a ZIP, and choose the card's user-data."""
    path.write_text(text)
    page.get_by_text("Copy the files yourself").click()
    page.get_by_label("The file user-data").set_input_files(path)


@pytest.mark.parametrize(
    ("name", "text", "host", "reason"),
    [
        ("user-data", "#cloud-config\n", "-", "host"),
        ("user-data", "#!/bin/sh\n", "", "no-cloud-config"),
        ("meta-data", "#cloud-config\n", "", "no-file"),
    ],
)
def test_a_zip_is_refused_with_the_same_sentence(
    name: str, text: str, host: str, reason: str, page_on_disk: Page, tmp_path: Path
) -> None:
    choose(page_on_disk, Options(host=host))
    choose_file(page_on_disk, tmp_path / name, text)
    page_on_disk.get_by_role("button", name="Save a ZIP").click()
    expect(page_on_disk.get_by_role("status")).to_have_text(REFUSALS[reason])


def test_a_browser_that_can_not_write_folders_shows_only_how_to_save_a_zip(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "card.html"
    path.write_text(make_page(RELEASE), encoding="utf-8")
    page = browser.new_context().new_page()
    page.add_init_script("delete window.showDirectoryPicker")
    page.goto(path.as_uri())
    assert page.get_by_role("button", name="ZIP").all_inner_texts() == ["Save a ZIP"]
    expect(page.get_by_role("button", name="Choose the drive")).to_be_hidden()


def test_from_a_disk_it_can_ask_for_a_folder(page_on_disk: Page) -> None:
    assert page_on_disk.evaluate("isSecureContext && typeof showDirectoryPicker") == "function"


def test_a_choice_that_is_cancelled_says_nothing(page: Page) -> None:
    page.evaluate(
        "() => { showDirectoryPicker = async () => { throw new DOMException('', 'AbortError') } }"
    )
    page.get_by_role("button", name="Choose the drive").click()
    assert told(page) == ""


PULLED_OUT = (
    "The card could not be written. Is it locked, or was it pulled out? "
    "The browser says: It is gone."
)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("QuotaExceededError", REFUSALS["full"]), ("NotFoundError", PULLED_OUT)],
    ids=["full", "pulled out"],
)
def test_a_card_that_takes_no_file_is_named(name: str, sentence: str, page: Page) -> None:
    page.evaluate(PUT_CARD, CASES[0]["card"])
    page.evaluate(
        "name => { FileSystemFileHandle.prototype.createWritable = async () => {"
        " throw new DOMException('It is gone.', name) } }",
        name,
    )
    page.get_by_role("button", name="Choose the drive").click()
    assert told(page) == sentence


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, scheme: Any) -> None:
    page = browser.new_context(color_scheme=scheme, bypass_csp=True).new_page()
    page.set_content(make_page(RELEASE))
    page.evaluate(AXE)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] }).then(one => one.violations)")
    assert found == [], json.dumps(found, indent=1)


def test_all_of_it_fits_a_phone(browser: Browser) -> None:
    page = browser.new_context(viewport={"width": 320, "height": 640}).new_page()
    page.set_content(make_page(RELEASE))
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
