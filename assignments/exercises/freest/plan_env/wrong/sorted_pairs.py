# finding: ties-by-name
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    pairs = sorted(((mib, uuid) for uuid, mib in free.items() if mib >= least), reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for _, uuid in pairs[:count])
    return planned
