"""What the lessons draw and try out: a folder for each, and here what several of them share."""
