def two_ranks_differ():
    return {
        "run": 1,
        "line": 20,
        "cause": "divided twice",
        "change": 'loss = nn.functional.mse_loss(model(batch), wanted)',
    }
