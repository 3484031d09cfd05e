# finding: other-result
def what_grows():
    return {
        "run": 2,
        "line": 12,
        "cause": "graph",
        "change": "total = loss.item()",
    }
