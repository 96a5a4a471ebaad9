"""A whole release: built twice, compared byte for byte, checked and installed.

By `make release ONLY=test`, which takes minutes; not collected by `make test`.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote
from zipfile import ZipFile

import pytest

from pi_app import __version__
from pi_app.texts.language import codes

ROOT = Path(__file__).parents[3]
NAME = f"pachisi-referee-{__version__}"
PYTHON = os.environ["TOOLS_PYTHON"]
RELEASE = (PYTHON, "-m", "systemd.release")
TOMORROW = ("faketime", "-f", "+1d")
ELSEWHERE = {"TZ": "Pacific/Kiritimati", "LANG": "C", "HOME": "/nonexistent", "USER": "somebody"}


def run(*command: str | Path, folder: Path, **variables: str) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    return done.stdout


def commit(clone: Path) -> None:
    run("git", "add", "--all", folder=clone)
    author = ("-c", "user.name=A", "-c", "user.email=a@b.invalid")
    run("git", *author, "commit", "--quiet", "--message=release", folder=clone)


def clone_to(source: Path, folder: Path) -> Path:
    run("git", "clone", "--quiet", source, folder, folder=source)
    return folder


def take_edits(clone: Path) -> None:
    """Copy the files of the working tree, also those that are not committed yet."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder=ROOT)
    for name in filter(None, listed.split("\0")):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).unlink(missing_ok=True)
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, clone / name)


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with today's files, in which CHANGELOG.md begins with the version of the program."""
    folder = clone_to(ROOT, tmp_path_factory.mktemp("first") / "clone")
    take_edits(folder)
    changelog = folder / "CHANGELOG.md"
    text = re.sub(r"^## .*$", f"## {__version__}", changelog.read_text(), count=1, flags=re.M)
    changelog.write_text(f"{text}\n")
    commit(folder)
    return folder


@pytest.fixture(scope="session")
def built(clone: Path) -> Path:
    run(*RELEASE, folder=clone)
    return clone / "dist" / "release"


def sums(folder: Path) -> Mapping[str, str]:
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def test_another_clone_gives_the_same_bytes_tomorrow_elsewhere_with_another_umask(
    clone: Path, built: Path, tmp_path: Path
) -> None:
    os.umask(0o077)
    try:
        other = clone_to(clone, tmp_path / "a longer path" / "to somebody's clone")
        run(*TOMORROW, *RELEASE, folder=other, **ELSEWHERE)
    finally:
        os.umask(0o022)
    assert sums(other / "dist" / "release") == sums(built)


def test_it_has_all_files_and_their_sums(built: Path) -> None:
    names = {path.name.replace(__version__, "1.0") for path in built.iterdir()}
    assert names == {
        "NOTES.md",
        "SHA256SUMS",
        "card.html",
        "carried.txt",
        "pachisi-referee-1.0-firmware.zip",
        "pachisi-referee-1.0-hardware.zip",
        "pachisi-referee-1.0-licences.zip",
        *(
            f"pachisi-referee-1.0-manual-{code}.{kind}"
            for code in codes()
            for kind in ("html", "pdf")
        ),
        "pachisi-referee-1.0-sbom.cdx.json",
        "pachisi-referee_1.0_all.deb",
        "pachisi_referee-1.0-py3-none-any.whl",
        "pachisi_referee-1.0.tar.gz",
        "pachisi_rules-1.0-py3-none-any.whl",
        "pachisi_rules-1.0.tar.gz",
        "sample-game.html",
    }
    run("sha256sum", "--check", "--strict", "SHA256SUMS", folder=built)
    listed = (built / "SHA256SUMS").read_text().splitlines()
    assert {line.split()[1] for line in listed} == set(sums(built)) - {"SHA256SUMS"}


def test_builders_get_every_printed_part_as_stl_and_as_step_the_boards_and_sheets_on_both_papers(
    built: Path,
) -> None:
    with ZipFile(built / f"{NAME}-hardware.zip") as archive:
        names = archive.namelist()
    parts = {Path(name).stem for name in names if name.endswith(".stl")}
    assert parts == {file.stem for file in (ROOT / "hardware" / "enclosure").glob("*.stl")}
    assert parts == {Path(name).stem for name in names if name.endswith(".step")}
    for paper in ("a4", "letter"):
        assert f"sheets/drilling-{paper}.pdf" in names
    guide = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")
    for file in re.findall(r"^\| \[.*?\]\((.*?)\) \|", guide, re.M):
        assert any(name.startswith(file) for name in names), file
    for board in ("pi", "dice"):
        for file in (".kicad_pcb", "-gerbers.zip", "-parts.csv", "-placement.csv"):
            assert f"pcb/{board}{file}" in names


def test_no_file_names_the_folder_in_which_it_was_made(clone: Path, built: Path) -> None:
    for path in built.iterdir():
        contents = [path.read_bytes()]
        if path.suffix in (".zip", ".whl"):
            archive = ZipFile(path)
            contents += [archive.read(name) for name in archive.namelist()]
        assert all(os.fsencode(clone.parent) not in content for content in contents), path


def test_twine_and_lintian_find_nothing(built: Path) -> None:
    for pattern in ("*.whl", "*.tar.gz"):
        twine = (PYTHON, "-m", "twine", "check", "--strict")
        run(*twine, *built.glob(pattern), folder=built)
    [deb] = built.glob("*.deb")
    run("lintian", "--fail-on", "error,warning", "--allow-root", deb, folder=built)


@pytest.mark.parametrize(
    ("wheel", "command", "said"),
    [
        ("pachisi_referee", ("-m", "rules", "show", "pb"), "pb"),
        ("pachisi_rules", ("-m", "pachisi_rules", "show", "pb"), "pb"),
    ],
)
def test_each_wheel_and_each_source_installs_in_an_empty_environment(
    built: Path, tmp_path: Path, wheel: str, command: tuple[str, ...], said: str
) -> None:
    run(sys.executable, "-m", "venv", "empty", folder=tmp_path)
    python = tmp_path / "empty" / "bin" / "python"
    for pattern in (f"{wheel}-*.whl", f"{wheel}-*.tar.gz"):
        [file] = built.glob(pattern)
        run(python, "-m", "pip", "install", "--quiet", "--force-reinstall", file, folder=tmp_path)
        assert said in run(python, "-I", *command, folder=tmp_path)


def test_the_bill_names_every_library_with_a_licence(built: Path) -> None:
    bill = json.loads((built / f"{NAME}-sbom.cdx.json").read_text())
    assert bill["bomFormat"] == "CycloneDX"
    assert bill["metadata"]["component"]["purl"] == f"pkg:pypi/pachisi-referee@{__version__}"
    components = {component["name"]: component for component in bill["components"]}
    assert components["segno"]["licenses"] == [{"license": {"id": "BSD-3-Clause"}}]
    assert components["luma-core"]["licenses"] == [{"license": {"id": "MIT"}}]
    bundled = [one for one in components.values() if one["purl"].startswith("pkg:pypi/")]
    assert len(bundled) == 16
    assert {"python3-lgpio", "python3-pil", "python3"} <= set(components)
    with ZipFile(built / f"{NAME}-licences.zip") as archive:
        assert b"Apache-2.0" in archive.read("copyright")
        assert len(archive.namelist()) == 17  # pyserial's wheel has no file of its own


@pytest.mark.parametrize("code", codes())
def test_a_manual_begins_with_its_contents_and_needs_no_other_file(built: Path, code: str) -> None:
    html = (built / f"{NAME}-manual-{code}.html").read_text(encoding="utf-8")
    assert f'<html lang="{code.replace("_", "-")}">' in html
    assert html.index("</h1>") < html.index("<nav>") < html.index("<main>")
    sources = re.findall(r'src="(.{22})', html)
    assert len(sources) >= 20
    assert set(sources) == {"data:image/png;base64,"}
    # Only a paragraph of pictures can be kept on one page with the text below.
    assert re.findall(r"</h\d>\n<img", html) == []
    anchors = {f"#{anchor}" for anchor in re.findall(r'id="(.*?)"', html)}
    links = [unquote(link) for link in re.findall(r'href="(.*?)"', html)]
    assert len(links) > len(anchors) > 20
    assert set(links) <= anchors


def test_the_sample_is_a_whole_game_in_each_language_and_needs_no_other_file(built: Path) -> None:
    html = (built / "sample-game.html").read_text(encoding="utf-8")
    [written] = re.findall(r'<script id="data" type="application/json">(.*)</script>', html)
    data = json.loads(written)
    assert set(data["texts"]) == set(codes())
    assert sorted(data["answers"]["games/1"]["frames"][-1]["chances"]) == [0.0, 0.0, 0.0, 1.0]
    assert data["answers"]["games/1/review"]["of"] > 100
    assert re.findall(r"<(?:link|img|iframe)|<script src|@import|url\(", html) == []


def test_a_file_that_is_not_committed_ends_it_with_a_sentence(clone: Path) -> None:
    (clone / "mine.txt").touch()
    try:
        done = subprocess.run(
            RELEASE,
            cwd=clone,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        (clone / "mine.txt").unlink()
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "these files differ from the last commit, so commit them first: mine.txt\n"
    )
