"""Write a store anew without the rows of a person, into a new file: one module for each family of formats."""
