# finding: change-raises
def what_grows():
    return {
        "run": 2,
        "line": 13,
        "cause": "graph",
        "change": "use item",
    }
