"""Which version may be released: the one that CHANGELOG.md begins with, from a clean tree."""

import re

NEWEST = re.compile(r"^## (?P<version>\S+)(?P<date>.*)\n(?P<notes>(?:(?!## ).*\n?)*)", re.MULTILINE)


def find_fault(version: str, changelog: str, edits: list[str]) -> str:
    """Return in a sentence why this version can't be released, "" if it can.

    edits: the files that differ from the last commit.
    """
    if edits:
        return f"these files differ from the last commit, so commit them first: {', '.join(edits)}"
    newest = newest_heading(changelog)
    if newest != version:
        return (
            f'CHANGELOG.md begins with "{newest}" and pi_app/__init__.py has version {version}: '
            "write the same version into both"
        )
    return ""


def newest_heading(changelog: str) -> str:
    """Return the version that a changelog begins with, or "Unreleased"."""
    found = NEWEST.search(changelog)
    return found["version"] if found else ""


def newest_notes(changelog: str) -> str:
    """Return what a changelog tells about its newest version, without the heading."""
    found = NEWEST.search(changelog)
    return found["notes"].strip() + "\n" if found else ""
