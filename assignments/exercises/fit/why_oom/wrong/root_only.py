# finding: root-only
def why_oom():
    return {"run": 8, "line": 27, "cause": "whole states", "change": 'fully_shard(net)'}
