# finding: other-result
def what_grows():
    return {
        "run": 17,
        "line": 11,
        "cause": "tensors on the GPU",
        "change": "pass",
    }
