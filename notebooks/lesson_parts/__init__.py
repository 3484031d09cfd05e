"""Figures and experiments of the lessons: a folder for each lesson, and here the shared ones."""
