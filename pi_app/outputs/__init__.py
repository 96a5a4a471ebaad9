"""What a reply means to each output: a picture, lamps, tones, words, advice. Decides nothing."""
