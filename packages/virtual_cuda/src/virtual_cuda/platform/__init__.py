"""What is done to torch below Python, and whether it can be done on this computer."""
