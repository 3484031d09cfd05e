# finding: other-outputs
def what_grows():
    return {
        "run": 17,
        "line": 12,
        "cause": "tensors on the GPU",
        "change": "pass",
    }
