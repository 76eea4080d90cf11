"""Which categories belong together, and where are the records at risk? Pictures in which no record is a point."""
