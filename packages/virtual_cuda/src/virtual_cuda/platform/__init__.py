"""Changes to torch below Python, and the checks whether they work on this computer."""
