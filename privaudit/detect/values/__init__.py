"""Evidence from the values of one column, one subject in each module."""
