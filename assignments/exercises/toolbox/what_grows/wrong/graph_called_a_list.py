# finding: other-cause
def what_grows():
    return {
        "run": 2,
        "line": 13,
        "cause": "tensors on the GPU",
        "change": "total = total + loss.item()",
    }
