"""Described results in a form that is easier to compare."""


def named(described):
    """A described result in which every device is a string: either form is as good."""
    if described["type"] == "device":
        return {**described, "type": "str"}
    if "items" in described:
        return {**described, "items": [named(item) for item in described["items"]]}
    return dict(described)
