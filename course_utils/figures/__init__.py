"""Drawings that several lessons share, each with the same content as text.

Every drawing is a `Picture`: it is computed from the objects it gets, can be read on a dark page
and in greyscale, and has alt text made of the same data.
"""
