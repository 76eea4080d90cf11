"""Which remedies would help, what each measurably improves, and what it costs. Imports `attacks` and the rooms below."""
