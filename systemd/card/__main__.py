"""`make card`: makes card.html, the page that writes a Pi's card, with all packages in it."""

import base64
import json
import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pi_app import __version__
from pi_app.config.keys import SHIPPED
from pi_app.texts.language import all_languages
from systemd.card.carried import LIST, collect
from systemd.deb import DIST, ROOT, package_name, package_time, run

HERE = Path(__file__).parent
PAGE = DIST / "card.html"
BUILDS = ROOT / "hardware" / "builds.toml"


@dataclass(frozen=True, slots=True)
class Release:
    """What is installed.

    built: the package's time, in seconds since 1970. carried: names and contents of files with what
    the package needs.
    """

    version: str
    package: bytes
    built: int
    carried: tuple[tuple[str, bytes], ...] = ()

    def facts(self) -> str:
        """Return the settings that do not depend on what a builder chooses."""
        sums = [("sha256", self.package), *self.carried]
        lines = (f"{name}={sha256(data).hexdigest()}\n" for name, data in sums)
        return f"version={self.version}\nbuilt={self.built}\n{''.join(lines)}"


def main() -> None:
    PAGE.write_text(make_page(read_release(carry())), encoding="utf-8")
    print(f"dist/{PAGE.name}: open it in a browser")


def carry() -> tuple[tuple[str, bytes], ...]:
    """Return the files with what the package in dist needs, and write LIST to dist.

    If Debian can't be reached, say so, and return (). In CI that is an error.
    """
    depends = run("dpkg-deb", "--field", str(DIST / package_name(__version__)), "Depends")
    try:
        files = collect(depends)
    except SystemExit as error:
        if os.environ.get("CI"):
            raise
        [*_, reason] = str(error).splitlines()
        print(f"warning: with this card a Pi needs the internet: {reason}", file=sys.stderr)
        return ()
    (DIST / LIST).write_bytes(files[LIST])
    return tuple(files.items())


def read_release(carried: tuple[tuple[str, bytes], ...]) -> Release:
    """Return the package in dist, with the files that are carried beside it."""
    package = (DIST / package_name(__version__)).read_bytes()
    return Release(__version__, package, package_time(), carried)


def make_page(release: Release) -> str:
    """Return card.html: one file with the package in it, which works from a disk."""
    data = {
        "facts": release.facts(),
        "built": release.built,
        "configurations": configurations(tomllib.loads(BUILDS.read_text(encoding="utf-8"))),
        "installer": template("install.sh"),
        "ready": template("ready.txt"),
    }
    packages = [*release.carried, ("pachisi-referee.deb", release.package)]
    parts = {
        "languages": "".join(
            f'<option value="{code}">{one.name}</option>' for code, one in all_languages().items()
        ),
        "version": release.version,
        "data": json.dumps(data).replace("<", "\\u003c"),
        "script": template("card.js"),
        "packages": json.dumps({name: base64.b64encode(one).decode() for name, one in packages}),
    }
    page = template("card.html")
    for name, text in parts.items():
        page = page.replace(f"{{{{{name}}}}}", text)
    return page


def configurations(builds: Mapping[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    """Return each build's value of every key in which builds differ."""
    shipped = {key: SHIPPED[key] for keys in builds.values() for key in keys if key in SHIPPED}
    return {name: shipped | keys for name, keys in builds.items()}


def template(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


if __name__ == "__main__":
    main()
