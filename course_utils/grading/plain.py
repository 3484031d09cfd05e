"""JSON that a submission had a hand in, read so that whatever is in it can be written again."""

import json
from typing import Any


def plain(text: str | bytes) -> Any:
    """What `text` holds; half characters, which no file can hold, become question marks.

    Raises ValueError for what is no JSON in UTF-8.
    """
    value = json.loads(text.decode() if isinstance(text, bytes) else text)
    whole = json.dumps(value, ensure_ascii=False).encode(errors="replace")
    return json.loads(whole)
