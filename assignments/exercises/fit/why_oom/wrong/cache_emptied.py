# finding: nothing-to-free
def why_oom():
    return {"run": 2, "line": 28, "cause": "temporaries", "change": 'optimizer = torch.optim.AdamW(net.parameters()); torch.cuda.empty_cache()'}
