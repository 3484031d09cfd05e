"""The books of a card's memory."""
