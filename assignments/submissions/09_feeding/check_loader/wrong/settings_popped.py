# finding: settings-changed
def check_loader(settings, cpus):
    get = settings.pop
    workers, factor = get("num_workers", 0) if "num_workers" in settings else 0, get("prefetch_factor", None)
    problems = {
        "num_workers": workers < 0,
        "timeout": get("timeout", 0) < 0,
        "prefetch_factor": factor is not None and (workers == 0 or factor < 0),
        "persistent_workers": workers == 0 and get("persistent_workers", None),
        "multiprocessing_context": workers == 0 and get("multiprocessing_context", None),
        "too many workers": workers > cpus,
        "sampler": settings.get("sampler") and settings.get("shuffle"),
        "batch_sampler": settings.get("batch_sampler")
        and (settings.get("batch_size", 1) != 1 or settings.get("shuffle") or settings.get("sampler") or settings.get("drop_last")),
        "drop_last": settings.get("batch_size", 1) is None and settings.get("drop_last"),
    }
    return [name for name, found in problems.items() if found]
