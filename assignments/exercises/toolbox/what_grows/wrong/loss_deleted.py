# finding: name-dropped
def what_grows():
    return {
        "run": 2,
        "line": 13,
        "cause": "graph",
        "change": "total = total + loss; del loss",
    }
