"""When do two values stand for the same, and what does a class reveal about a secret? Imports `attacks.inputs`."""
