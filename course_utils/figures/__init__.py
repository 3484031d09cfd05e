"""Drawings that several lessons share, each with a text twin that says what it shows.

Every drawing is a `Picture`: it is computed from the objects it is given, reads on a dark page and
in greyscale, and carries alt text made of the same data.
"""
