"""Events, and how edges become presses and gestures. Decides nothing."""
