"""The pipe between judge and worker: JSON, one request and one reply at a time, of limited size."""

import json
import secrets
from multiprocessing.connection import Connection
from typing import Any

MOST_BYTES = 1 << 20
"""Of one reply. The largest honest one has 13 kB."""

DEEPEST = 60


class Broken(Exception):
    """The other end is gone, silent, or said what no worker says."""


class Silent(Broken):
    """No reply came in time."""


class Asking:
    """The judge's end. A reply counts only if it repeats what nobody could have known before."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def ask(self, request: dict[str, Any], patience: float) -> dict[str, Any]:
        """Raises Broken if there is no reply, or one of no known form; `patience` in seconds."""
        token = secrets.token_hex(8)
        try:
            self._connection.send_bytes(json.dumps({**request, "token": token}).encode())
            if not self._connection.poll(patience):
                raise Silent(f"no reply within {patience:.0f} seconds")
            reply = json.loads(self._connection.recv_bytes(MOST_BYTES))
        except (EOFError, OSError) as error:
            raise Broken("the process of the answer ended, or sent too much") from error
        except (ValueError, RecursionError) as error:
            raise Broken("the reply was no JSON") from error
        if not isinstance(reply, dict) or reply.pop("token", None) != token:
            raise Broken("the reply was not one to this request")
        if _deeper_than(reply, DEEPEST):
            raise Broken(f"the reply was nested deeper than {DEEPEST}")
        return reply

    def close(self) -> None:
        self._connection.close()


class Answering:
    """The worker's end."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._token = ""

    def next(self) -> dict[str, Any]:
        """The next request. Raises EOFError when there is none any more."""
        request = json.loads(self._connection.recv_bytes())
        self._token = request.pop("token")
        return request

    def reply(self, **content: Any) -> None:
        self._connection.send_bytes(json.dumps({**content, "token": self._token}).encode())


def _deeper_than(value: Any, depth: int) -> bool:
    level = [value]
    for _ in range(depth):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return True
