"""What comes in: events, and edges that become presses and gestures. Decides nothing."""
