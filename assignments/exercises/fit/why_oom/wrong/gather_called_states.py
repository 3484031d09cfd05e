# finding: other-cause
def why_oom():
    return {"run": 4, "line": 27, "cause": "whole states", "change": '[fully_shard(part) for part in (*net.blocks, net)]'}
