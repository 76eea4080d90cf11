"""What columns are: one subject in each module, from their values, their names and the other columns."""
