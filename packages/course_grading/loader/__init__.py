"""A process with torch loaded. Judges and workers are forked from it, so they start at once."""
