"""Evidence on a column that follows from the other columns of its table."""
