"""The faults for which a game's rows can't be saved, by name. Mends nothing."""

from typing import Literal

Fault = Literal["disk-full", "read-only", "no-access", "disk-busy", "bad-disk", "disk-gone"]
