"""card.html in a browser: it writes into a folder or a ZIP. Everybody can use it."""

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from systemd.card.__main__ import make_page
from tests.end_to_end.page import WAIT_MS
from tests.systemd.cards import OF_CLOUD_INIT, RELEASE, WRITTEN, Options, written

pytestmark = pytest.mark.browser

ADDRESS = "http://localhost/card.html"
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
OPTIONS = Options("deluxe", "sh1106", "de", page=True)
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
    page.get_by_label(options.build.title()).check()
    page.get_by_label(options.driver.upper()).check()
    page.get_by_label("Language").select_option(options.language)
    page.get_by_label("A page for spectators").set_checked(options.page)


def told(page: Page) -> str:
    """Return what the page says once it has done what was asked."""
    expect(page.locator("#card")).to_be_enabled(timeout=WAIT_MS)
    return page.get_by_role("status").inner_text()


def test_the_page_writes_what_it_writes_in_node(page: Page) -> None:
    page.evaluate(PUT_CARD, OF_CLOUD_INIT)
    choose(page, OPTIONS)
    page.get_by_role("button", name="Choose the drive").click()
    assert told(page).startswith(WRITTEN)
    files = {name: bytes(data) for name, data in page.evaluate(READ_CARD).items()}
    assert files == written(OF_CLOUD_INIT, OPTIONS)[1]


def test_a_build_has_its_usual_display_and_what_stays_has_none(page: Page) -> None:
    usual = {"First evening": "SH1106", "Plain": "SH1106", "Lit": "SH1106", "Deluxe": "SSD1309"}
    for build, driver in usual.items():
        page.get_by_label(build).check()
        expect(page.get_by_label(driver)).to_be_checked()
    page.get_by_label("Keep it").check()
    expect(page.get_by_role("group", name="Which display?")).to_be_hidden()


@pytest.mark.parametrize(
    ("today", "sentence"),
    [
        ("2025-12-01", "It was made on 24 November 2025."),
        ("2026-12-01", "It was made on 24 November 2025; the releases may have a newer one."),
    ],
)
def test_it_says_how_old_it_is(today: str, sentence: str, page: Page) -> None:
    page.clock.set_fixed_time(today)
    page.reload()
    expect(page.locator("#age")).to_have_text(sentence)


def test_a_drive_that_is_no_card_is_refused_and_stays_as_it_is(page: Page) -> None:
    page.evaluate(PUT_CARD, {"photo.jpg": ""})
    page.get_by_label("Plain").check()
    page.get_by_role("button", name="Choose the drive").click()
    assert told(page).startswith("This is not a Raspberry Pi's card")
    assert page.evaluate(READ_CARD) == {"photo.jpg": []}


def test_from_a_disk_it_saves_a_zip_with_the_same_files(page_on_disk: Page, tmp_path: Path) -> None:
    card = {"cmdline.txt": OF_CLOUD_INIT["cmdline.txt"]}
    (tmp_path / "cmdline.txt").write_text(card["cmdline.txt"])
    (tmp_path / "config.txt").write_text("")
    choose(page_on_disk, OPTIONS)
    page_on_disk.get_by_text("Copy the files yourself").click()
    chosen = page_on_disk.get_by_label("The file cmdline.txt")
    chosen.set_input_files(tmp_path / "config.txt")
    page_on_disk.get_by_role("button", name="Save a ZIP").click()
    said = page_on_disk.get_by_role("status")
    expect(said).to_have_text("Choose the file cmdline.txt on the drive bootfs first.")
    chosen.set_input_files(tmp_path / "cmdline.txt")
    with page_on_disk.expect_download() as download:
        page_on_disk.get_by_role("button", name="Save a ZIP").click()
    with ZipFile(download.value.path()) as packed:
        assert packed.testzip() is None
        unpacked = {name: packed.read(name) for name in packed.namelist()}
    assert unpacked == written(card, OPTIONS)[1]


def test_it_says_that_it_makes_the_zip_before_the_zip_is_there(
    page_on_disk: Page, tmp_path: Path
) -> None:
    (tmp_path / "cmdline.txt").write_text(OF_CLOUD_INIT["cmdline.txt"])
    choose(page_on_disk, OPTIONS)
    page_on_disk.get_by_text("Copy the files yourself").click()
    page_on_disk.get_by_label("The file cmdline.txt").set_input_files(tmp_path / "cmdline.txt")
    page_on_disk.evaluate(
        "() => { URL.createObjectURL = () => { throw new Error(told.textContent) } }"
    )
    page_on_disk.get_by_role("button", name="Save a ZIP").click()
    said = page_on_disk.get_by_role("status")
    expect(said).to_contain_text("The browser says: Making the ZIP.")


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


FULL = "There is too little space on this card. Remove files of yours from it."
PULLED_OUT = (
    "The card could not be written. Is it locked, or was it pulled out? "
    "The browser says: It is gone."
)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("QuotaExceededError", FULL), ("NotFoundError", PULLED_OUT)],
    ids=["full", "pulled out"],
)
def test_a_card_that_takes_no_file_is_named(name: str, sentence: str, page: Page) -> None:
    page.evaluate(PUT_CARD, OF_CLOUD_INIT)
    page.get_by_label("Plain").check()
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
