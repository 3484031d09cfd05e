def plan_env(env, free, count, least):
    """Return the environment of a job: `env`, with the freest cards unless somebody has chosen."""
    ### BEGIN SOLUTION
    planned = dict(env)
    # `is None`, since an empty dict is an answer as well: there is no card.
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# free = {"GPU-a": 9159, "GPU-b": 20859, "GPU-c": 19507}
# print(plan_env({"LANG": "C"}, free, count=2, least=10_000))
# print(plan_env({"CUDA_VISIBLE_DEVICES": "1"}, free, count=2, least=10_000))
