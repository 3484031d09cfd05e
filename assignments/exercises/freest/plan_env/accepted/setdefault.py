import copy


def plan_env(env, free, count, least):
    env = copy.copy(env)
    if free is not None:
        order = list(free)
        order.sort(key=lambda uuid: (free[uuid], -list(free).index(uuid)), reverse=True)
        taken = [uuid for uuid in order if free[uuid] >= least][:count]
        env.setdefault("CUDA_VISIBLE_DEVICES", ",".join(taken))
    return env
