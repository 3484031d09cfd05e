"""`in_turns`: functions of a notebook that run at the same time, each a line in turn.

So what happens does not depend on the speed of the computer.
"""

import sys
from collections import deque
from collections.abc import Callable, Mapping
from threading import Condition, Thread
from types import FrameType
from typing import Any

_PATIENCE = 20.0  # seconds; one that waits for another, as for a lock, would keep its turn for ever


def in_turns(function: Callable[[], str], number: int) -> list[str]:
    """The results of so many calls of a function, which run at the same time.

    Each call runs one line of the function's own module in turn: a look and an action in another
    line are never one step. Raises what a call has raised.
    """
    if number == 1:
        return [function()]
    order, changed = deque(range(number)), Condition()
    results, errors = dict[int, str](), list[BaseException]()

    def run(here: int) -> None:
        def its_turn() -> None:
            changed.wait_for(lambda: order[0] == here, _PATIENCE)

        def traced(frame: FrameType, event: str, arg: Any) -> Any:
            if frame.f_globals is not namespace:
                return None
            if event == "line":
                with changed:
                    if order[0] == here:
                        order.rotate(-1)
                    changed.notify_all()
                    its_turn()
            return traced

        with changed:
            its_turn()
        sys.settrace(traced)
        try:
            results[here] = function()
        except BaseException as error:  # SystemExit, too: raised again below
            errors.append(error)
        finally:
            sys.settrace(None)
            with changed:
                order.remove(here)
                changed.notify_all()

    namespace: Mapping[str, Any] = getattr(function, "__globals__", {})
    threads = [Thread(target=run, args=(each,)) for each in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return [results[each] for each in range(number)]
