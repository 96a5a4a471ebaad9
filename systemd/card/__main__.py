"""`make card`: makes card.html, the page that writes a Pi's card, with the package in it."""

import base64
import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pi_app import __version__
from pi_app.texts.language import all_languages
from systemd.deb import DIST, package_name, package_time

HERE = Path(__file__).parent
PAGE = DIST / "card.html"
DRIVERS = {
    "ssd1309": "2.42 inch (SSD1309)",
    "sh1106": "1.3 inch (SH1106)",
    "ssd1306": "0.96 inch (SSD1306)",
}


@dataclass(frozen=True, slots=True)
class Release:
    """What is installed. built: the package's time, in seconds since 1970."""

    version: str
    package: bytes
    built: int

    def facts(self) -> str:
        """Return the settings that do not depend on what a builder chooses."""
        digest = sha256(self.package).hexdigest()
        return f"version={self.version}\nsha256={digest}\nbuilt={self.built}\n"


def main() -> None:
    """Make the page of the package in dist."""
    PAGE.write_text(make_page(read_release()), encoding="utf-8")
    print(f"dist/{PAGE.name}: open it in a browser")


def read_release() -> Release:
    """Return the package in dist."""
    package = (DIST / package_name(__version__)).read_bytes()
    return Release(__version__, package, package_time())


def make_page(release: Release) -> str:
    """Return card.html: one file with the package in it, which works from a disk."""
    data = {
        "facts": release.facts(),
        "installer": template("install.sh"),
        "ready": template("ready.txt"),
    }
    languages = {code: one.name for code, one in all_languages().items()}
    parts = {
        "drivers": _format_choices(DRIVERS),
        "languages": _format_choices(languages),
        "version": release.version,
        "data": json.dumps(data).replace("<", "\\u003c"),
        "script": template("card.js"),
        "package": base64.b64encode(release.package).decode(),
    }
    page = template("card.html")
    for name, text in parts.items():
        page = page.replace(f"{{{{{name}}}}}", text)
    return page


def template(name: str) -> str:
    """Return a file of this folder."""
    return (HERE / name).read_text(encoding="utf-8")


def _format_choices(choices: dict[str, str]) -> str:
    return "".join(f'<option value="{value}">{text}</option>' for value, text in choices.items())


if __name__ == "__main__":
    main()
