# finding: allocated-there
def what_grows():
    return {
        "run": 2,
        "line": 9,
        "cause": "graph",
        "change": "output = (batch @ weight).detach()",
    }
