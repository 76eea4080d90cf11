"""How is a file read? May import `cells`, `places`, `input` and what is below `source`."""
