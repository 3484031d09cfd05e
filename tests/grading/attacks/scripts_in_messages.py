# name = "Scripts in messages"
# goal = "feedback page"
# attacks = "what a message quotes: exceptions, results, names of functions and parameters"
# assignment = "07_parallel"
# flagged = true

# %% finish_time
def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    raise ValueError("</code></p><script>alert(1)</script><img src=x onerror=alert(1)>\x1b[2J`")

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return ["</code><script>alert(1)</script>", "`<iframe src=javascript:alert(1)>`"]

# %% predict_wrap
predict_wrap = type("<script>alert(1)</script>", (), {})()

# %% wrap
def wrap(model, ids):
    raise type("<script>alert(1)</script>", (Exception,), {})("<svg onload=alert(1)>")
