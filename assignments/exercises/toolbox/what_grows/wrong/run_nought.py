# finding: other-run
def what_grows():
    return {
        "run": 0,
        "line": 11,
        "cause": "graph",
        "change": "total = 0",
    }
