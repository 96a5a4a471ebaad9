"""All that players read and hear: which text is meant, and its words in a language."""
