"""The menu, and the lists and names that its modes share. The items are in `entries`."""
