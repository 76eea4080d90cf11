"""What may a reader return, and how large may it be? May import what is below `source`."""
