B, C, F, S = "bfloat16", "checkpoint", "fused", "sharding"
ONE_GPU = [(), (B,), (C,), (F,), (B, C), (B, F), (C, F), (B, C, F)]


def meet_budget(measure, budget):
    order = ONE_GPU + [(*few, S) for few in ONE_GPU]
    return next((list(each) for each in order if measure(list(each)) <= budget), None)
