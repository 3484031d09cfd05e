"""The pipe between judge and worker: JSON, one request and one reply at a time, of limited size."""

import json
import secrets
import socket
import struct
import time
from typing import Any

MOST_BYTES = 1 << 20
"""Of one reply. The largest honest one has 13 kB."""

DEEPEST = 60
_HEAD = struct.Struct("!I")


class ProtocolError(Exception):
    """The other end is gone, silent, or said what no worker says."""


class ProcessEnded(ProtocolError):
    """The other end is gone."""


class _Messages:
    """Messages over a socket, each after its length."""

    def __init__(self, end: socket.socket) -> None:
        self._end, self._read = end, bytearray()

    def send(self, content: dict[str, Any], until: float | None = None) -> None:
        data = json.dumps(content).encode()
        self._wait_until(until)
        self._end.sendall(_HEAD.pack(len(data)) + data)

    def receive(self, most: int | None = None, until: float | None = None) -> Any:
        """Raises EOFError at the end, TimeoutError at `until`, ValueError for what is no JSON."""
        (size,) = _HEAD.unpack(self._exactly(_HEAD.size, until))
        if most is not None and size > most:
            raise ValueError(f"a message of {size} bytes")
        return parse_json(self._exactly(size, until))

    def _exactly(self, size: int, until: float | None) -> bytes:
        while len(self._read) < size:
            self._wait_until(until)
            part = self._end.recv(1 << 16)
            if not part:
                raise EOFError
            self._read += part
        taken = bytes(self._read[:size])
        del self._read[:size]
        return taken

    def _wait_until(self, until: float | None) -> None:
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            raise TimeoutError
        self._end.settimeout(left)

    def close(self) -> None:
        self._end.close()


class JudgeEnd(_Messages):
    """The judge's end. A reply counts only if it repeats what nobody could have known before."""

    def ask(self, request: dict[str, Any], patience: float) -> dict[str, Any]:
        """Raises ProtocolError without a reply of a known form within `patience` seconds."""
        token, until = secrets.token_hex(8), time.monotonic() + patience
        try:
            self.send({**request, "token": token}, until)
            reply = self.receive(MOST_BYTES, until)
        except TimeoutError:
            raise ProtocolError(f"no reply within {patience:.0f} seconds") from None
        except (EOFError, OSError) as error:
            raise ProcessEnded("the process of the answer ended") from error
        except (ValueError, RecursionError) as error:
            raise ProtocolError("the reply was too long, or no JSON") from error
        if not isinstance(reply, dict) or reply.pop("token", None) != token:
            raise ProtocolError("the reply was not one to this request")
        if _deeper_than(reply, DEEPEST):
            raise ProtocolError(f"the reply was nested deeper than {DEEPEST}")
        return reply


class WorkerEnd(_Messages):
    """The worker's end."""

    _token = ""

    def next(self) -> dict[str, Any]:
        """The next request. Raises EOFError when there is none any more."""
        request: dict[str, Any] = self.receive()
        self._token = request.pop("token")
        return request

    def reply(self, **content: Any) -> None:
        """Send an answer with the token of the request."""
        self.send({**content, "token": self._token})


def _deeper_than(value: Any, depth: int) -> bool:
    if depth == 0 or not isinstance(value, dict | list):
        return depth == 0
    inner = value.values() if isinstance(value, dict) else value
    return any(_deeper_than(each, depth - 1) for each in inner)


def parse_json(text: str | bytes) -> Any:
    """What `text` holds, of JSON that a submission had a hand in.

    Half characters, which no file can hold, become question marks: so it can be written again.
    Raises ValueError for what is no JSON in UTF-8.
    """
    text = text.decode() if isinstance(text, bytes) else text
    value = json.loads(text)
    if "\\u" not in text:  # as only an escape brings half a character
        return value
    whole = json.dumps(value, ensure_ascii=False).encode(errors="replace")
    return json.loads(whole)
