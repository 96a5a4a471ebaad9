"""The table: what stands between the rules and the hands, eyes and ears of the players."""
