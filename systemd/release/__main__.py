"""`make release`: builds all files of a release in dist/release, from the last commit.

The same commit gives the same bytes, in any folder, at any time and with any umask: each file is
made from what `git archive` writes, with the time of the commit. Only card.html and carried.txt
change when Debian has newer packages.
"""

import os
import shutil
import sys
from hashlib import sha256
from pathlib import Path

from weasyprint import HTML

from pi_app import __version__
from systemd.card.carried import LIST
from systemd.deb import DIST, ROOT, package_name, pip, run
from systemd.release.archives import pack_again, pack_zip, read_folder
from systemd.release.contents import bill_of_materials, read_package, select_licences
from systemd.release.manual import manual_codes, manual_html
from systemd.release.version import find_fault, newest_notes

BUILD = ROOT / "build" / "release"
TARGET = DIST / "release"
NAME = f"pachisi-referee-{__version__}"
SDIST = "import setuptools.build_meta as backend, sys; backend.build_sdist(sys.argv[1])"
STEPS = (
    "from hardware import __main__ as cad, enclosure; import pathlib, sys; "
    "cad.write_steps(enclosure.printed_parts(), pathlib.Path(sys.argv[1]))"
)
# By folder: its licence, and the files that builders read, print and copy.
ARCHIVES = {
    "firmware": ("LICENSE", "*.py", "*.md"),
    "hardware": (
        *("LICENSES/CERN-OHL-P-2.0.txt", "*.md", "*.toml", "*.csv", "*.svg"),
        *("rules/*", "enclosure/*", "pcb/*[!y]", "sheets/**/*", "wiring/*"),  # no program
    ),
}


def main() -> None:
    """Build the release. Ends with a sentence if its version can't be released."""
    notes = read_notes()
    os.umask(0o022)
    unix_time = int(run("git", "log", "-1", "--format=%ct"))
    # With CI, a card without all packages is an error.
    os.environ.update(SOURCE_DATE_EPOCH=str(unix_time), PYTHONDONTWRITEBYTECODE="1", CI="1")
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir(parents=True)
    make_package(unix_time)
    make_distributions(unix_time)
    make_archives_and_manuals(unix_time)
    make_sample()
    (TARGET / "NOTES.md").write_text(notes, encoding="utf-8")
    write_sums()
    print(*sorted(path.relative_to(ROOT) for path in TARGET.iterdir()), sep="\n")


def read_notes() -> str:
    """Return what CHANGELOG.md tells about the version. Ends if it can't be released."""
    edits = [line[3:] for line in run("git", "status", "--porcelain").splitlines()]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if fault := find_fault(__version__, changelog, edits):
        raise SystemExit(fault)
    return newest_notes(changelog)


def checkout(name: str) -> Path:
    """Write the files of the last commit to a new folder, and return it."""
    folder = BUILD / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    packed = BUILD / f"{name}.tar"
    run("git", "archive", f"--output={packed}", "HEAD")
    shutil.unpack_archive(packed, folder, filter="data")
    return folder


def make_package(unix_time: int) -> None:
    """Make the package, the page for cards, their bill of materials and their licences."""
    folder = checkout("package")
    run(sys.executable, "-m", "systemd.deb", folder=folder)
    deb = TARGET / package_name(__version__)
    shutil.copy(folder / "dist" / deb.name, deb)
    files, control = read_package(deb), run("dpkg-deb", "--field", str(deb))
    bill = bill_of_materials(files, control, unix_time)
    (TARGET / f"{NAME}-sbom.cdx.json").write_text(bill, encoding="utf-8")
    pack_zip(TARGET / f"{NAME}-licences.zip", select_licences(files), unix_time)
    run(sys.executable, "-m", "systemd.card", folder=folder)
    for name in ("card.html", LIST):
        shutil.copy(folder / "dist" / name, TARGET)


def make_distributions(unix_time: int) -> None:
    """Make the sources and the wheels of the referee, and of the rules alone."""
    for source in (checkout("sources"), checkout("sources-of-rules") / "rules"):
        run(sys.executable, "-c", SDIST, str(TARGET), folder=source)
        pip("wheel", "--no-deps", "--no-build-isolation", f"--wheel-dir={TARGET}", str(source))
    for archive in TARGET.glob("*.tar.gz"):
        pack_again(archive, unix_time)


def make_archives_and_manuals(unix_time: int) -> None:
    """Make ARCHIVES, with the enclosure's STEP files, and the manuals as HTML and as PDF."""
    folder = checkout("archives")
    run(sys.executable, "-c", STEPS, "hardware/enclosure", folder=folder)
    for name, (licence, *patterns) in ARCHIVES.items():
        files = read_folder(folder / name, *patterns)
        files["LICENSE"] = (folder / licence).read_bytes()
        pack_zip(TARGET / f"{NAME}-{name}.zip", files, unix_time)
    for code in manual_codes(folder):
        html = manual_html(folder, code, __version__)
        file = TARGET / f"{NAME}-manual-{code}.html"
        file.write_text(html, encoding="utf-8")
        # With its structure for screen readers.
        HTML(string=html).write_pdf(file.with_suffix(".pdf"), pdf_tags=True)


def make_sample() -> None:
    """Make a page that replays a game of a simulated player and three bots."""
    folder = checkout("sample")
    referee = (sys.executable, "-m", "pi_app")
    # Of the seeds 1 to 10, the closest finish: C wins while D needs one space.
    game = ("--auto", "--seed=6", "--bots=B=strong,C=club,D=easy")
    run(*referee, "simulate", *game, "--folder=games", folder=folder)
    # Without --config, the text would have the language of the referee on this computer.
    where = ("--config=pi_app/referee.toml", "--folder=games")
    target = str(TARGET / "sample-game.html")
    run(*referee, "export", "--html", *where, "1", target, folder=folder)


def write_sums() -> None:
    """Write the SHA-256 of each file of the release, as `sha256sum --check` reads them."""
    sums = {path.name: sha256(path.read_bytes()).hexdigest() for path in sorted(TARGET.iterdir())}
    text = "".join(f"{digest}  {name}\n" for name, digest in sums.items())
    (TARGET / "SHA256SUMS").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
