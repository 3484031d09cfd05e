"""Long texts cut short, wherever an answer may have written them."""


def clip(text: str, most: int = 600) -> str:
    """A text of at most `most` characters: beginning and end, "…" where something is left out."""
    if len(text) <= most:
        return text
    half = (most - 3) // 2
    return f"{text[:half]} … {text[-half:]}"
