"""What keeps a game's rows from being kept, as the panel has words for it. Mends nothing."""

from typing import Literal

Fault = Literal["disk-full", "read-only", "no-access", "disk-busy", "bad-disk", "disk-gone"]
