"""Observe `visible.logical_to_physical`, `visible.physical_of` and `visible.first_card`."""

from collections.abc import Callable, Mapping
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.exercises.visible.material import same_environment


class LogicalToPhysical(Observer):
    """Facts: the numbers of the visible cards, as the answer has them."""

    name = "visible.logical_to_physical"
    parameters = ("value", "n_physical")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        with same_environment():
            return {"cards": describe(answer(data["value"], data["n_physical"]))}


class PhysicalOf(Observer):
    """Facts: the card, or the `ValueError` that stands for a device that does not exist."""

    name = "visible.physical_of"
    parameters = ("value", "device", "n_physical")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        try:
            with same_environment():
                card = answer(data["value"], data["device"], data["n_physical"])
        except Exception as error:
            # The engine wraps what leaves an answer; a ValueError can be what is asked for here.
            inner = error.__cause__ or error
            if type(inner) is not ValueError:
                raise
            return {"refused": True, "message": str(inner)[:300]}
        return {"refused": False, "card": describe(card)}


class FirstCard(Observer):
    """Facts: the UUID that the answer gives, and the list of cards afterwards."""

    name = "visible.first_card"
    parameters = ("cards", "order", "visible")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        cards = [(uuid, speed) for uuid, speed in data["cards"]]
        with same_environment():
            first = answer(cards, data["order"], data["visible"])
        return {"first": describe(first), "kept": cards == [tuple(card) for card in data["cards"]]}
