"""Which version may be released: the one that CHANGELOG.md begins with, from a clean tree."""

import re

NEWEST = re.compile(r"^## (\S+).*\n((?:(?!## ).*\n?)*)", re.MULTILINE)


def find_fault(version: str, changelog: str, edits: list[str]) -> str:
    """Return why this version can't be released, "" if it can. edits: files not committed."""
    if edits:
        return f"these files differ from the last commit, so commit them first: {', '.join(edits)}"
    newest, _ = NEWEST.findall(changelog)[0]
    if newest != version:
        return (
            f'CHANGELOG.md begins with "{newest}" and pi_app/__init__.py has version {version}: '
            "write the same version into both"
        )
    return ""


def newest_notes(changelog: str) -> str:
    """Return what a changelog tells about its newest version, without the heading."""
    _, notes = NEWEST.findall(changelog)[0]
    return f"{notes.strip()}\n"
