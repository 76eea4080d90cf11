"""What does a table still show after a remedy, and what did it lose? Imports `advice.technique`."""
