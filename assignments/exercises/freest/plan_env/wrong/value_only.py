# finding: other-form
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    return ",".join(ranked[:count])
