"""Which tables does a path, a pattern or an address name, and of which format is each?

May import `input` and what is below `source`.
"""
