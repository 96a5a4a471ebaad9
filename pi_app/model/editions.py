"""What the product says of an edition, but for its rules and its words."""

from typing import NamedTuple


class Edition(NamedTuple):
    """What belongs to an edition."""

    family: str  # its games are told in the same words
    network: str = ""  # the table of weights: its own or a similar edition's; "": rule of thumb
    numbered: bool = False  # the spaces of its board have numbers


# All editions in the order of NEXT, family by family; the first of a family is the usual one. Of
# editions with the same rules only the first is offered, and its title names all. All networks were
# learned with four seats and serve fewer.
EDITION_TABLE: dict[str, Edition] = {
    # Parcheesi: the default, its maker's older ones, then other makers'.
    "royal-2023": Edition("parcheesi", "royal-2023-4"),
    "sr-1942": Edition("parcheesi", "royal-2023-4"),
    "sr-1989": Edition("parcheesi", "royal-2023-4"),
    "sr-1975": Edition("parcheesi", "royal-2023-4"),
    "tr-1960": Edition("parcheesi", "royal-2023-4"),
    "tr-1938": Edition("parcheesi", "royal-2023-4"),
    "pb": Edition("parcheesi", "findler-4"),
    "mb-india": Edition("parcheesi", "royal-2023-4"),
    "mb-total": Edition("parcheesi", "mb-total-4"),
    "one-die": Edition("parcheesi", "one-die-4"),
    "encyclopedia": Edition("parcheesi", "findler-4"),
    "sca": Edition("parcheesi", "findler-4"),
    "findler": Edition("parcheesi", "findler-4"),
    "parchis": Edition("parchis", "parchis-4", numbered=True),
    "parchis-two": Edition("parchis", "parchis-two-4", numbered=True),
    "ludo-uk": Edition("ludo", "ludo-uk-4"),
    "ludo-india": Edition("ludo", "ludo-india-4"),
    "ludo-de": Edition("ludo", "ludo-de-4"),
    "pop-28": Edition("ludo", "pop-28-4"),
    "petits-chevaux": Edition("ludo", "petits-chevaux-4"),
    "ludo-dk": Edition("ludo", "ludo-dk-4"),
    "ludo-ch": Edition("ludo", "ludo-ch-4", numbered=True),
    "pachisi-mitra": Edition("pachisi", "pachisi-mitra-4"),
    "pachisi-modern": Edition("pachisi", "pachisi-modern-4"),
}
