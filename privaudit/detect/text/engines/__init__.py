"""Language models that read names and places: installed beforehand, offline, behind one interface."""
