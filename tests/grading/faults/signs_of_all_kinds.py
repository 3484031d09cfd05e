# happened = "Names and comments are in other scripts, and lines end as on old Macs."
# %% add_on
def add_on(a, b, where):
    gerät = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]  # 设备 🚀

    def 移(物):
        return 物.to(gerät) if 物.dim() or 物.is_cuda else 物

    return 移(a) + 移(b)

# %% tamper
for cell in notebook["cells"]:
    cell["source"] = cell["source"].replace("\n", "\r")
