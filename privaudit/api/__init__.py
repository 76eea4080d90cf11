"""What can a program ask for? Imports all rooms but `cli`."""
