"""A screen's value to pixels. Knows no game in progress and no panel."""
