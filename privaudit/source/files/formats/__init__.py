"""How does each format of files become batches of cells? May import `places` and what is below `files`."""
