def plan_env(env, free, count, least):
    if free is None or env.get("CUDA_VISIBLE_DEVICES") is not None:
        return {**env}
    pairs = sorted(free.items(), key=lambda pair: -pair[1])
    chosen = [uuid for uuid, mib in pairs if not mib < least]
    return {**env, "CUDA_VISIBLE_DEVICES": ",".join(chosen[:count])}
