"""Values inside cells of text: patterns in every distinct cell, a language model in a sample."""
