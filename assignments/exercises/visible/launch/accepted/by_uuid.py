import os
import subprocess


def launch(program, card):
    query = ["nvidia-smi", f"--id={card}", "--query-gpu=uuid", "--format=csv,noheader"]
    uuid = subprocess.check_output(query, text=True).strip()
    env = os.environ | {"CUDA_VISIBLE_DEVICES": uuid}
    return subprocess.check_output(["python", program, "cuda:0"], env=env, text=True)
