"""Builds the files of a release from a commit: `make release`."""
