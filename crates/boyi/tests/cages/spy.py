"""An engine that leaves traces of itself where it can, or looks for those of its opponent, and says what it found."""
import ctypes
import os
import socket
import sys

role, token, port, arena_port, database = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
# A file that a command names is shown to the engine: hence the name is not a word of its own.
database = database.removeprefix("database=")
libc = ctypes.CDLL(None, use_errno=True)
PLACES = {"shared memory": "/dev/shm/", "temporary files": "/tmp/", "its folder": "./"}
KEY = port << 12
kept = []


def tried(attempt):
    try:
        return bool(attempt())
    except OSError:
        return False


def listen(family, address):
    kept.append(socket.socket(family))
    kept[-1].bind(address)
    kept[-1].listen()


def reach(family, address):
    with socket.socket(family) as other:
        other.settimeout(1)
        other.connect(address)
        return True


def write(path):
    kept.append(open(path, "w"))
    os.chmod(path, 0o666)


def show():
    tried(lambda: listen(socket.AF_UNIX, "\0" + token))
    tried(lambda: listen(socket.AF_INET, ("127.0.0.1", port)))
    for place in PLACES.values():
        tried(lambda: write(place + token))
    libc.shmget(KEY, 4096, 0o1666)


def others():
    """Processes that are not this one, its keeper or its parents."""
    mine = {1, os.getpid(), os.getppid()}
    for pid in (int(name) for name in os.listdir("/proc") if name.isdigit()):
        words = open(f"/proc/{pid}/cmdline", "rb").read().split(b"\0") if pid not in mine else []
        if b"shown" in words and token.encode() in words:
            yield pid


def found():
    pids = list(others()) if tried(lambda: list(others()) or True) else []
    # Numbers can be guessed as well.
    guesses = pids or [pid for pid in range(2, 3000) if pid not in (os.getpid(), os.getppid())]
    yield "its process", bool(pids)
    yield "signals", any(tried(lambda: os.kill(pid, 0) is None) for pid in guesses)
    yield "its memory", any(tried(lambda: open(f"/proc/{pid}/mem", "rb")) for pid in guesses)
    yield "tracing", any(libc.ptrace(16, pid, None, None) == 0 for pid in guesses)
    yield "abstract sockets", tried(lambda: reach(socket.AF_UNIX, "\0" + token))
    yield "loopback", tried(lambda: reach(socket.AF_INET, ("127.0.0.1", port)))
    for name, place in PLACES.items():
        yield name, tried(lambda: open(place + token))
    yield "segments", libc.shmget(KEY, 4096, 0) >= 0
    yield "the arena", tried(lambda: reach(socket.AF_INET, ("127.0.0.1", arena_port)))
    yield "the database", tried(lambda: open(database))


for line in sys.stdin:
    if line.startswith("START"):
        if role == "shown":
            show()
        print("OK", flush=True)
    elif line.startswith("TURN"):
        print("found:", ", ".join(name for name, harm in found() if harm) or "nothing", flush=True)
