"""What does a command do with its words, and which exit code follows? Imports every room."""
