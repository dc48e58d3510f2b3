"""An engine that computes for so many milliseconds before its first ply, or sleeps, and then plays."""
import sys
import time

how, seconds = sys.argv[1], int(sys.argv[2]) / 1000
for line in sys.stdin:
    if line.startswith("START"):
        print("OK", flush=True)
    elif line.startswith("TURN"):
        began = time.process_time()
        if how == "sleep":
            time.sleep(seconds)
        while how == "compute" and time.process_time() - began < seconds:
            pass
        print("4 0 1", flush=True)
