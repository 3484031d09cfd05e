"""What lesson 06 draws and tries out."""

from lesson_parts.lesson06.sharing import card_chart, rush_chart
