# finding: other-plan
def plan_env(env, free, count, least):
    planned = dict(env)
    if "CUDA_VISIBLE_DEVICES" in env or free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned
