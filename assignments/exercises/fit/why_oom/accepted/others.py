# %% fused
def why_oom():
    return {"run": 2, "line": 28, "cause": "temporaries", "change": 'optimizer = torch.optim.AdamW(net.parameters(), fused=True)'}

# %% a_number
def why_oom():
    return {"run": 9, "line": 36, "cause": "kept graph", "change": 'checked.append(net(held[:-1], held[1:]).item())'}

# %% quarters
def why_oom():
    return {"run": 8, "line": 27, "cause": "whole states", "change": '[fully_shard(part) for part in (*net.blocks, net)]'}
