"""Which personal data are held where, for how long, and what of one person? Imports `audit` and the rooms below it."""
