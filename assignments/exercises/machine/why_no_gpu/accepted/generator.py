def why_no_gpu(report):
    return list(_causes(**report))


def _causes(nvidia_smi, compute_cap, cuda, arch_list, visible, container):
    if compute_cap is None:
        yield "container" if container else "driver"
    if cuda is None:
        yield "build"
    elif compute_cap and float(cuda) // 1 > float(nvidia_smi.split()[-2]) // 1:
        yield "version"
    if visible is not None and not (visible + ",").startswith(("0,", "GPU-")):
        yield "hidden"
    if arch_list and compute_cap:
        major, minor = compute_cap.split(".")
        for lower in range(int(minor) + 1):
            if f"sm_{major}{lower}" in arch_list:
                return
        for ptx in arch_list:
            if ptx.startswith("compute_") and int(ptx[8:]) <= int(major + minor):
                return
        yield "architecture"
