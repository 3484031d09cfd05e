from itertools import combinations


def meet_budget(measure, budget):
    for more in ((), ("sharding",)):
        for count in range(4):
            for few in combinations(("bfloat16", "checkpoint", "fused"), count):
                if measure(few + more) <= budget:
                    return few + more
