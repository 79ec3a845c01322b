"""An engine under test that misbehaves as it is told: `python engines.py MODE`."""

import json
import os
import subprocess
import sys
import time

mode = sys.argv[1]


def say(answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if mode == "banner":
    print("Lantern engine, ready.", flush=True)
if mode == "deaf":
    time.sleep(60)
if mode == "dead":
    sys.exit("no lamp oil")
if mode == "family":
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    print(child.pid, file=sys.stderr, flush=True)

for count, line in enumerate(sys.stdin, 1):
    call = json.loads(line)
    number = call["id"]
    if mode == "echo":
        say({"id": number, "value": {"call": call["call"], "given": call["given"], "readings": call["readings"]}})
    elif mode == "silent":
        time.sleep(60)
    elif mode == "crash" and count == 2:
        print("out of oil", file=sys.stderr, flush=True)
        os._exit(7)
    elif mode == "noise":
        os.write(1, b"x" * 5_000_000)
    elif mode == "chatter":
        os.write(2, b"y" * 500_000)
        say({"id": number, "value": 1})
    elif mode == "other-id":
        say({"id": number + 1, "value": 1})
    elif mode == "true-id":
        say({"id": True, "value": 1})
    elif mode == "both":
        say({"id": number, "value": 1, "error": "x"})
    elif mode == "nan":
        sys.stdout.write(f'{{"id": {number}, "value": NaN}}\n')
        sys.stdout.flush()
    elif mode == "deep":
        sys.stdout.write("[" * 100_000 + "\n")
        sys.stdout.flush()
    elif mode == "half-letter":
        say({"id": number, "value": "\ud800"})
    elif mode == "huge-number":
        sys.stdout.write(f'{{"id": {number}, "value": 1e999999}}\n')
        sys.stdout.flush()
    elif mode == "decimal":
        sys.stdout.write(f'{{"id": {number}, "value": [37.5, 2.0, 1e2]}}\n')
        sys.stdout.flush()
    elif mode == "unsupported":
        say({"id": number, "unsupported": "no lamps here"})
    elif mode == "error":
        say({"id": number, "error": "lamp\nfell"})
    else:
        say({"id": number, "value": 1})
