"""Which remedies together let the gate pass? Imports the other rooms of advice."""
