"""A notebook that somebody worked in: read with patience, its cells known again, put right."""
