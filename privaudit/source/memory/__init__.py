"""How does a frame or an Arrow table in memory become a `Dataset`?"""
