"""What does a table alone disclose to someone who knows some facts? Imports `attacks.values` and `attacks.inputs`."""
