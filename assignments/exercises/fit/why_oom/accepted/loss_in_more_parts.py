def why_oom():
    return {"run": 3, "line": 22, "cause": "logits", "change": 'loss = sum(checkpoint(self.loss, a, b, use_reentrant=False) for a, b in zip(x.chunk(16), targets.chunk(16)))'}
