"""The socket between judge and worker: JSON requests, each with one reply of limited size."""

import json
import secrets
import socket
import struct
import time
from typing import Any

MOST_BYTES = 1 << 20
"""The limit for one reply. The largest honest reply has 13 kB."""

DEEPEST = 60  # levels of nesting
_HEAD = struct.Struct("!I")


class ProtocolError(Exception):
    """The other end has ended, is silent, or sent an invalid message."""


class ProcessEnded(ProtocolError):
    """The other end has ended."""


class _Messages:
    """Messages over a socket, each with its length in front."""

    def __init__(self, end: socket.socket) -> None:
        self._end, self._read = end, bytearray()

    def send(self, content: dict[str, Any], until: float | None = None) -> None:
        data = json.dumps(content).encode()
        self._wait_until(until)
        self._end.sendall(_HEAD.pack(len(data)) + data)

    def receive(self, most: int | None = None, until: float | None = None) -> Any:
        """A message. Raises EOFError at the end, TimeoutError at `until`, ValueError if no JSON."""
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
    """The judge's end. It accepts only a reply with the random token of its request."""

    def ask(self, request: dict[str, Any], patience: float) -> dict[str, Any]:
        """The reply. Raises ProtocolError if it is invalid or takes over `patience` seconds."""
        token, until = secrets.token_hex(8), time.monotonic() + patience
        try:
            self.send({**request, "token": token}, until)
            reply = self.receive(MOST_BYTES, until)
        except TimeoutError:
            raise ProtocolError(f"no reply within {patience:.0f} seconds") from None
        except (EOFError, OSError) as error:
            raise ProcessEnded("the process of the answer ended") from error
        except (ValueError, RecursionError) as error:
            raise ProtocolError("the reply was too long or not JSON") from error
        if not isinstance(reply, dict) or reply.pop("token", None) != token:
            raise ProtocolError("the reply does not belong to this request")
        if _deeper_than(reply, DEEPEST):
            raise ProtocolError(f"the reply was nested deeper than {DEEPEST}")
        return reply


class WorkerEnd(_Messages):
    """The worker's end."""

    _token = ""

    def next(self) -> dict[str, Any]:
        """The next request. Raises EOFError after the last one."""
        request: dict[str, Any] = self.receive()
        self._token = request.pop("token")
        return request

    def reply(self, **content: Any) -> None:
        """Send a reply with the token of the request."""
        self.send({**content, "token": self._token})


def hear(control: socket.socket) -> Any:
    """A message of a process of the grader itself. Raises ConnectionError if it has ended."""
    if said := control.recv(1 << 16):
        return json.loads(said)
    raise ConnectionError("a process of the grader ended")


def _deeper_than(value: Any, depth: int) -> bool:
    if depth == 0 or not isinstance(value, dict | list):
        return depth == 0
    inner = value.values() if isinstance(value, dict) else value
    return any(_deeper_than(each, depth - 1) for each in inner)


def parse_json(text: str | bytes) -> Any:
    """The value of JSON that a submission may have written.

    Lone surrogates, which no UTF-8 file can contain, become question marks, so that the value can
    be written again. Raises ValueError if `text` is not JSON in UTF-8.
    """
    text = text.decode() if isinstance(text, bytes) else text
    value = json.loads(text)
    if "\\u" not in text:  # only an escape can make a lone surrogate
        return value
    whole = json.dumps(value, ensure_ascii=False).encode(errors="replace")
    return json.loads(whole)
