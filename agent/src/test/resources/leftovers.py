"""Leaves everything behind that a task can leave, or looks for what another has left."""

import ctypes
import os
import socket
import subprocess
import sys

KEY = 0x494D4B52
ABSTRACT = "\0imker-leftover"
PORT = 40711
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p


def leave():
    # In a session of its own, with both sockets open: it has them as long as it lives.
    named = socket.socket(socket.AF_UNIX)
    named.bind(ABSTRACT)
    named.listen()
    port = socket.socket()
    port.bind(("127.0.0.1", PORT))
    port.listen()
    subprocess.Popen(
        ["sleep", "987654"],
        start_new_session=True,
        pass_fds=[named.fileno(), port.fileno()],
    )
    print("process")
    if libc.shmget(KEY, 4096, 0o1666) >= 0:
        print("shared memory")
    if libc.msgget(KEY, 0o1666) >= 0:
        print("message queue")
    print("abstract socket")
    print("port")
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/work"):
        open(folder + "/leftover", "w").close()
    print("file")
    # The place of a mount, if it were allowed: it is not, and nothing may come of trying.
    libc.mount(b"none", b"/tmp", b"tmpfs", 0, None)


def connects(family, address):
    try:
        socket.socket(family).connect(address)
        return True
    except OSError:
        return False


def find():
    commands = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                commands.append(open("/proc/" + entry + "/cmdline").read())
            except OSError:
                pass
    if any("987654" in command for command in commands):
        print("found the process")
    if libc.shmget(KEY, 4096, 0) >= 0:
        print("found the shared memory")
    if libc.msgget(KEY, 0) >= 0:
        print("found the message queue")
    if connects(socket.AF_UNIX, ABSTRACT) or "imker-leftover" in open("/proc/net/unix").read():
        print("found the abstract socket")
    if connects(socket.AF_INET, ("127.0.0.1", PORT)):
        print("found the port")
    if "LEFT" in os.environ:
        print("found the variable")
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/work"):
        if os.path.exists(folder + "/leftover"):
            print("found the file in " + folder)
    if any(line.split()[1:3] == ["/tmp", "tmpfs"] for line in open("/proc/mounts")):
        print("found the mount")
    print("looked")


leave() if sys.argv[1] == "leave" else find()
