# finding: other-fits
def why_oom():
    return {"run": 9, "line": 36, "cause": "kept graph", "change": 'checked.append(net(held[:-1], held[1:]).cpu())'}
