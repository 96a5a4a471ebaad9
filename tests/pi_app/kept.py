"""Pictures of screens that are kept in tests/screens and compared pixel by pixel."""

from pathlib import Path

from PIL import Image, ImageChops

SCREENS = Path(__file__).parent.parent / "screens"


def check_picture(name: str, drawn: Image.Image, redraw: bool, drawn_in: Path) -> None:
    """Compare a screen's image with its picture; with `redraw`, keep it as the picture instead."""
    kept = SCREENS / f"{name}.png"
    if redraw:
        kept.parent.mkdir(exist_ok=True)
        drawn.save(kept)
        return
    drawn.save(drawn_in / kept.name)
    assert kept.exists(), f"{kept} is missing: run this test with pytest --redraw"
    with Image.open(kept) as picture:
        difference = ImageChops.logical_xor(drawn, picture).getbbox()
    assert difference is None, (
        f"differs from {kept} within {difference}: see {drawn_in}; "
        "to keep the new picture, run this test with pytest --redraw"
    )
