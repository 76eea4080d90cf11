"""How is a table read that is not a file: a server, an object store, Spark?"""
