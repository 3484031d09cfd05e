# finding: line-runs
def why_oom():
    return {"run": 8, "line": 34, "cause": "whole states", "change": 'optimizer.step()'}
