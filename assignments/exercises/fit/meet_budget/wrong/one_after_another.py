# finding: more-than-needed
def meet_budget(measure, budget):
    chosen = []
    if measure(chosen) <= budget:
        return chosen
    for remedy in ["bfloat16", "checkpoint", "fused", "sharding"]:
        chosen.append(remedy)
        if measure(chosen) <= budget:
            return chosen
