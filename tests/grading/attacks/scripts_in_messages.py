# name = "Scripts in messages"
# goal = "feedback page"
# attacks = "what a message quotes: exceptions, results, names of functions and parameters"
# assignment = "07_parallel"
# flagged = true

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return ["</code><script>alert(1)</script>", "`<iframe src=javascript:alert(1)>`"]

# %% fix_parallel
fix_parallel = type("<script>alert(1)</script>", (), {})()

# %% train_step
def train_step(replicas, batch, targets, lr):
    raise type("<script>alert(1)</script>", (Exception,), {})("<svg onload=alert(1)>")
