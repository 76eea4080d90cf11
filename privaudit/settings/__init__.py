"""What was asked, and by whom? Imports `base` and `model`."""
