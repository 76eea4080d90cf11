"""What does a release disclose about the people of its original, and not about others? Imports `attacks.values`."""
