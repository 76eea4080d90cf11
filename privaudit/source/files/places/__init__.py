"""Which files does a path name, and of which format is each? May import `cells` and what is below `source`."""
