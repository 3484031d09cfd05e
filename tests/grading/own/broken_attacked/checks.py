"""The instructor's module, which a test imports."""


def verify(function):
    assert function(-7) == -14
    assert function("ab") == "abab"
