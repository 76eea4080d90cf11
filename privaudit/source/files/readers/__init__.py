"""How are files read in a process of their own, which holds nothing of the scan? May import `formats`."""
