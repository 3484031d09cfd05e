# finding: overruled
def plan_env(env, free, count, least):
    planned = dict(env)
    if free is None:
        return planned
    enough = [uuid for uuid, mib in free.items() if mib >= least]
    chosen = env.get("CUDA_VISIBLE_DEVICES")
    if chosen is not None:
        cards = chosen.split(",")
        if any(card in free for card in cards):
            kept = [card for card in cards if card in enough]
            planned["CUDA_VISIBLE_DEVICES"] = ",".join(kept)
        return planned
    ranked = sorted(enough, key=free.get, reverse=True)
    planned["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])
    return planned
