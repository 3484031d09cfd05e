"""One process that has torch loaded: judges and workers are forked from it, and start at once."""
