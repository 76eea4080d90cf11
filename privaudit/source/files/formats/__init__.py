"""How does each format of files become batches of cells? May import what is below `files`."""
