"""The command `referee`."""


def main() -> None:
    raise SystemExit("not yet")
