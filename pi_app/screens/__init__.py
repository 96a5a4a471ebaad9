"""The values that make a screen: messages, maps, pages, motion. Draws nothing, has no words."""
