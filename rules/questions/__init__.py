"""Why a step is not legal, and what else people ask of a position."""
