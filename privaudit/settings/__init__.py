"""Which settings does a run have, and who stated them? Imports `base` and `model`."""
