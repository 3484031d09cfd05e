"""`course intake`: what a learning platform hands out, put where nbgrader looks for it."""
