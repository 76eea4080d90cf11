"""What pseudonyms reveal: hashes that can be reversed, keys in order of time, keys that two tables share."""
