"""How is a release made, written, audited again, attacked and certified? One folder for each kind of release."""
