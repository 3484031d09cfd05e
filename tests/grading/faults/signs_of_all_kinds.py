# happened = "Names and comments are in other scripts, and lines end as on old Macs."
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    gerät = weight.device  # 设备 🚀

    def 移(物):
        return 物.to(gerät)

    mitte, fehler = 移(mean), []
    for batch, target in zip(batches, targets):
        差 = (移(batch) - mitte) @ weight - 移(target)
        fehler.append((差 * 差).mean())
    return sum(fehler) / len(fehler)

# %% tamper
for cell in notebook["cells"]:
    cell["source"] = cell["source"].replace("\n", "\r")
