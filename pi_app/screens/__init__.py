"""What a screen is made of: messages, maps, pages and how they move. Draws and words nothing."""
