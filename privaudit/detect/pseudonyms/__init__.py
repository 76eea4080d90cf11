"""What pseudonyms give away: hashes undone, keys in order of time, keys shared between tables."""
