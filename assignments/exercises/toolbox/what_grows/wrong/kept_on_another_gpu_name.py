# finding: other-growth
def what_grows():
    return {
        "run": 9,
        "line": 11,
        "cause": "tensors on the GPU",
        "change": "outputs.append(output.detach().clone())",
    }
