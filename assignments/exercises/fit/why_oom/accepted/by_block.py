def why_oom():
    return {"run": 4, "line": 27, "cause": "whole gather", "change": 'for part in [*net.blocks, net]: fully_shard(part)'}
