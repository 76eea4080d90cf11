"""What the columns of a table say of each other."""
