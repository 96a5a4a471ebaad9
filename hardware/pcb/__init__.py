"""The two boards to order. Debian's KiCad only fills them, judges them and plots them."""
