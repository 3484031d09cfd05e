# finding: other-trained
def why_oom():
    return {"run": 1, "line": 20, "cause": "activations", "change": 'x = x + block(x).detach()'}
