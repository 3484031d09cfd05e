"""What the observers of this topic share."""


def raised_text(error: BaseException) -> str:
    """An exception as a fact, such as `RuntimeError: Expected all tensors …`."""
    return f"{type(error).__name__}: {str(error)[:600]}"
