# finding: other-graph
def what_grows():
    return {
        "run": 16,
        "line": 14,
        "cause": "graph",
        "change": "loss.backward(); total += loss",
    }
