"""In which order do the stages run over one table, or several? Imports all rooms up to `advice`."""
