# finding: other-total
def what_grows():
    return {
        "run": 2,
        "line": 13,
        "cause": "graph",
        "change": "total = total + round(loss.item(), 2)",
    }
