# %% a_list
# finding: other-form
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return list(held.items())

# %% a_look_first
# finding: asked-twice
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        run(["nvidia-smi"], capture_output=True, timeout=10, check=True)
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% any_word_is_unknown
# finding: text-not-expected
import subprocess


def held_by(run, uuids):
    words = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory"]
    words.append("--format=csv,noheader,nounits")
    try:
        answer = run(words, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            mib = int(amount) if amount.isdigit() else None
            before = held.get(int(pid), 0)
            held[int(pid)] = None if mib is None or before is None else before + mib
    except ValueError:
        return None
    return held

# %% empty_dict
# finding: no-answer-not-none
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return {}
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% everything_caught
# finding: other-error-caught
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except Exception:
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% first_two_fields
# finding: text-not-expected
import subprocess


def held_by(run, uuids):

    try:
        done = run(["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory", "--format=csv,noheader,nounits"], capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None

    held = {}
    try:
        for line in done.stdout.splitlines():
            uuid, pid, mib = line.split(",")[:3]
            if uuid not in uuids:
                continue
            pid = int(pid)
            mib = None if mib.strip() == "[N/A]" else int(mib)
            if pid in held:
                held[pid] = None if held[pid] is None or mib is None else held[pid] + mib
            else:
                held[pid] = mib
    except ValueError:
        return None
    return held

# %% float_amounts
# finding: floats
import subprocess


def held_by(run, uuids):

    try:
        done = run(["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory", "--format=csv,noheader,nounits"], capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None

    held = {}
    try:
        for line in done.stdout.splitlines():
            uuid, pid, mib = line.split(",")
            if uuid not in uuids:
                continue
            pid = int(pid)
            mib = None if mib.strip() == "[N/A]" else float(mib)
            if pid in held:
                held[pid] = None if held[pid] is None or mib is None else held[pid] + mib
            else:
                held[pid] = mib
    except ValueError:
        return None
    return held

# %% float_keys
# finding: floats
import subprocess


def held_by(run, uuids):

    try:
        done = run(["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory", "--format=csv,noheader,nounits"], capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None

    held = {}
    try:
        for line in done.stdout.splitlines():
            uuid, pid, mib = line.split(",")
            if uuid not in uuids:
                continue
            pid = float(pid)
            mib = None if mib.strip() == "[N/A]" else int(mib)
            if pid in held:
                held[pid] = None if held[pid] is None or mib is None else held[pid] + mib
            else:
                held[pid] = mib
    except ValueError:
        return None
    return held

# %% for_a_shell
# finding: not-a-list
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(" ".join(command), shell=True, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% half_a_second
# finding: no-timeout
import subprocess


def held_by(run, uuids):

    try:
        done = run(["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory", "--format=csv,noheader,nounits"], capture_output=True, text=True, timeout=0.5)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None

    held = {}
    try:
        for line in done.stdout.splitlines():
            uuid, pid, mib = line.split(",")
            if uuid not in uuids:
                continue
            pid = int(pid)
            mib = None if mib.strip() == "[N/A]" else int(mib)
            if pid in held:
                held[pid] = None if held[pid] is None or mib is None else held[pid] + mib
            else:
                held[pid] = mib
    except ValueError:
        return None
    return held

# %% in_gib
# finding: other-amounts
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return {pid: mib and mib / 1024 for pid, mib in held.items()}

# %% last_is_known
# finding: not-available-counted
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]"
            held[int(pid)] = None if unknown else (before or 0) + int(amount)
    except ValueError:
        return None
    return held

# %% later_na_forgotten
# finding: not-available-counted
import subprocess


def held_by(run, uuids):

    try:
        done = run(["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory", "--format=csv,noheader,nounits"], capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None

    held = {}
    try:
        for line in done.stdout.splitlines():
            uuid, pid, mib = line.split(",")
            if uuid not in uuids:
                continue
            pid = int(pid)
            if mib.strip() == "[N/A]":
                held.setdefault(pid, None)
            else:
                held[pid] = (held.get(pid) or 0) + int(mib)
    except ValueError:
        return None
    return held

# %% na_dropped
# finding: not-available-counted
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            if amount == "[N/A]":
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% na_fails
# finding: not-available-read
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = before is None
            held[int(pid)] = None if unknown else before + int(amount)
    finally:
        pass
    return held

# %% no_os_error
# finding: exception-left
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except subprocess.SubprocessError:
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% no_rule_for_na
# finding: not-available-no-answer
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% no_subprocess_error
# finding: exception-left
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except OSError:
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% no_timeout_expired
# finding: exception-left
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% one_try_for_all
# finding: other-error-caught
import subprocess


def held_by(run, uuids):

    try:
        done = run(["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory", "--format=csv,noheader,nounits"], capture_output=True, text=True, timeout=10, check=True)
        held = {}
        for line in done.stdout.splitlines():
            uuid, pid, mib = line.split(",")
            if uuid not in uuids:
                continue
            pid = int(pid)
            mib = None if mib.strip() == "[N/A]" else int(mib)
            held[pid] = None if pid in held and held[pid] is None or mib is None else held.get(pid, 0) + mib
        return held
    except (OSError, ValueError, subprocess.SubprocessError):
        return None

# %% other_columns
# finding: other-cards
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_name,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% own_subprocess
# finding: run-not-called
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% split_at_line_ends
# finding: nobody-is-no-answer
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.strip().split("\n"):
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% sum_of_none
# finding: not-available-read
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]"
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% text_both
# finding: strings
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return {str(pid): mib if mib is None else str(mib) for pid, mib in held.items()}

# %% text_keys
# finding: strings
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(pid, 0)
            unknown = amount == "[N/A]" or before is None
            held[pid] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% text_values
# finding: strings
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return {pid: mib if mib is None else str(mib) for pid, mib in held.items()}

# %% two_minutes
# finding: no-timeout
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=120, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% two_os_errors
# finding: exception-left
import subprocess


def held_by(run, uuids):

    try:
        done = run(["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory", "--format=csv,noheader,nounits"], capture_output=True, text=True, timeout=10)
    except (FileNotFoundError, PermissionError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None

    held = {}
    try:
        for line in done.stdout.splitlines():
            uuid, pid, mib = line.split(",")
            if uuid not in uuids:
                continue
            pid = int(pid)
            mib = None if mib.strip() == "[N/A]" else int(mib)
            if pid in held:
                held[pid] = None if held[pid] is None or mib is None else held[pid] + mib
            else:
                held[pid] = mib
    except ValueError:
        return None
    return held

# %% unreadable_raises
# finding: text-not-expected
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    finally:
        pass
    return held

# %% unreadable_skipped
# finding: text-not-expected
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            if line.count(", ") != 2:
                continue
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% every_card
# finding: other-cards
import subprocess


def held_by(run, uuids):
    command = [
        "nvidia-smi",
        "--query-compute-apps=gpu_uuid,pid,used_memory",
        "--format=csv,noheader,nounits",
    ]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% the_first_card
# finding: other-cards
import subprocess


def held_by(run, uuids):
    command = [
        "nvidia-smi",
        "--query-compute-apps=gpu_uuid,pid,used_memory",
        "--format=csv,noheader,nounits",
    ]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid != uuids[0]:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% two_columns_read
# finding: answer-not-read
import subprocess


def held_by(run, uuids):
    command = [
        "nvidia-smi",
        "--query-compute-apps=gpu_uuid,pid,used_memory",
        "--format=csv,noheader,nounits",
    ]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            pid, amount = line.split(", ")
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held


# %% other_cards_unread
# finding: text-not-expected
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% no_check
# finding: status-ignored
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held

# %% no_timeout
# finding: no-timeout
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held
