"""The rules of Parcheesi-type games: pure values, without clock, dice, files or devices."""
