"""In which order do the measures run, and what does the record of the risk state? May import all of `risk`."""
