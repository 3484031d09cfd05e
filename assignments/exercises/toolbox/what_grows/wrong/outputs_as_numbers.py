# finding: other-result
def what_grows():
    return {
        "run": 8,
        "line": 11,
        "cause": "tensors on the GPU",
        "change": "outputs.append(output.sum().item())",
    }
