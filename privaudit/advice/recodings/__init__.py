"""Which recodings suit a column, from fine to coarse? Imports `advice.effect` and `advice.technique`."""
