"""Observe `mend_mismatch`: the error that it returns, and what was copied for it."""

from course_utils.checking.observers import DeviceCall, build


class MendMismatch(DeviceCall):
    """Facts: `changed`; `result`, one element in any shape; `bytes` and `copies` in the whole run.

    away: how many copies began on the device of `weight`, and numbers that were fetched from there.
    """

    def observe(self, answer, inputs):
        place = str(inputs[2].device)
        facts = super().observe(answer, inputs)
        result = facts["result"]
        while isinstance(result.get("values"), list) and len(result["values"]) == 1:
            result = {**result, "dtype": "float32", "shape": [], "values": result["values"][0]}
        away = sum(number for source, _, number in facts["copies"] if source == place)
        return {
            "changed": facts["changed"],
            "result": result,
            "away": away + facts["read"],
            "bytes": sum(size for *_, size in facts["bytes"]),
            "copies": sum(number for *_, number in facts["copies"]),
        }


observer = MendMismatch(make=build)
