"""Which remedies would help, what does each improve, and what does it cost? Imports `attacks` and the rooms below."""
