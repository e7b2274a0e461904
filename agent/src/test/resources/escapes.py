"""Attempts to break out of the sandbox; each prints whether it was refused. Run by EscapeTest."""
import ctypes
import os
import platform
import signal
import socket
import struct

LIBC = ctypes.CDLL(None, use_errno=True)
OUTSIDE = os.environ["OUTSIDE"]
AGENT = int(os.environ["AGENT"])
LOOPBACK = int(os.environ["LOOPBACK"])
INTEL = platform.machine() == "x86_64"
ATTEMPTS = []


def attempt(name):
    """Marks a function that raises OSError, or returns False, when it is refused."""

    def keep(function):
        ATTEMPTS.append((name, function))
        return function

    return keep


def call(intel, arm, *arguments):
    """A system call by its number; raises OSError when it fails."""
    ctypes.set_errno(0)
    result = LIBC.syscall(ctypes.c_long(intel if INTEL else arm), *arguments)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return True


def write(path, text="x"):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return True


def read(path):
    with open(path, "rb") as file:
        return len(file.read()) > 0


@attempt("inherit a file descriptor of the agent")
def _():
    # The first attempt, because others open descriptors of their own.
    inherited = []
    for number in range(3, 256):
        try:
            inherited.append(os.readlink(f"/proc/self/fd/{number}"))
        except OSError:
            pass
    return any("escapes.py" not in target for target in inherited)


@attempt("read a file next to the work folder by its path outside")
def _():
    return read(OUTSIDE + "/token")


@attempt("read a file next to the work folder by ..")
def _():
    return read("../token")


@attempt("read a file outside through a symbolic link")
def _():
    os.symlink(OUTSIDE + "/token", "link")
    return read("link")


@attempt("write a file outside")
def _():
    return write(OUTSIDE + "/written")


@attempt("read the agent's environment")
def _():
    return read(f"/proc/{AGENT}/environ")


@attempt("reach the agent's root folder through /proc")
def _():
    return bool(os.listdir(f"/proc/{AGENT}/root"))


@attempt("reach another root folder through the first process")
def _():
    return os.path.exists("/proc/1/root" + OUTSIDE + "/token")


@attempt("change the program that made the sandbox")
def _():
    # It cannot be written to while it runs; its owner may still change what others may do with it.
    os.chmod("/proc/1/exe", 0o777)
    return True


@attempt("signal the agent")
def _():
    os.kill(AGENT, signal.SIGTERM)
    return True


@attempt("see processes of others")
def _():
    return len([name for name in os.listdir("/proc") if name.isdigit()]) > 6


@attempt("read /etc/shadow")
def _():
    return read("/etc/shadow")


@attempt("write to /etc")
def _():
    return write("/etc/imker-was-here")


@attempt("write to /usr")
def _():
    return write("/usr/imker-was-here")


@attempt("fill the memory of the machine through the root folder")
def _():
    return write("/imker-was-here")


@attempt("fill the memory of the machine through /dev")
def _():
    return write("/dev/imker-was-here")


@attempt("change the program that the kernel runs for core dumps")
def _():
    return write("/proc/sys/kernel/core_pattern", "|/bin/false")


@attempt("restart the machine through /proc/sysrq-trigger")
def _():
    return write("/proc/sysrq-trigger", "h")


@attempt("see homes of people")
def _():
    return any(os.path.isdir(home) and os.listdir(home) for home in ("/root", "/home"))


@attempt("see the sockets of services below /run")
def _():
    return any(os.path.exists(place) for place in ("/run/docker.sock", "/run/dbus", "/run/systemd"))


@attempt("reach the disk by a device file")
def _():
    return any(os.path.exists("/dev/" + disk) for disk in ("sda", "vda", "nvme0n1", "mem", "kmsg"))


@attempt("make a device file")
def _():
    os.mknod("device", 0o60600, os.makedev(8, 0))
    return True


@attempt("mount something")
def _():
    return call(165, 40, b"none", b"/tmp", b"tmpfs", 0, None)


@attempt("make the system's folders writable again")
def _():
    return call(165, 40, None, b"/usr", None, 0x1020, None)


@attempt("unmount what covers a folder")
def _():
    return call(166, 39, b"/proc", 2)


@attempt("mount by a file descriptor")
def _():
    return call(428, 428, -100, b"/", 1)


@attempt("change the root folder")
def _():
    return call(155, 41, b"/tmp", b"/tmp")


@attempt("make a user namespace with unshare")
def _():
    return call(272, 97, 0x10000000)


@attempt("make a user namespace with clone")
def _():
    return call(56, 220, 0x10000000 | 17, 0, 0, 0, 0)


@attempt("make a user namespace with clone3")
def _():
    size = 88
    arguments = struct.pack("=QQQQQ", 0x10000000, 0, 0, 0, 17).ljust(size, b"\0")
    return call(435, 435, arguments, size)


@attempt("enter another namespace")
def _():
    own = os.open("/proc/self/ns/net", os.O_RDONLY)
    return call(308, 268, own, 0)


@attempt("trace another process")
def _():
    return call(101, 117, 16, 1, 0, 0)


@attempt("read the memory of another process")
def _():
    return call(310, 270, 1, None, 0, None, 0, 0)


@attempt("take a file descriptor from another process")
def _():
    return call(438, 438, os.pidfd_open(1), 0, 0)


@attempt("open a file by its number on the disk")
def _():
    return call(304, 265, -100, b"\0" * 16, 0)


@attempt("load a program into the kernel")
def _():
    return call(321, 280, 5, b"\0" * 72, 72)


@attempt("load a module into the kernel")
def _():
    return call(313, 273, 0, b"", 0)


@attempt("load another kernel")
def _():
    return call(246, 104, 0, 0, None, 0)


@attempt("use performance counters of the kernel")
def _():
    return call(298, 241, b"\0" * 128, 0, -1, -1, 0)


@attempt("handle page faults of the kernel")
def _():
    return call(323, 282, 1)


@attempt("use io_uring")
def _():
    return call(425, 425, 4, b"\0" * 120)


@attempt("use the kernel's keys")
def _():
    return call(250, 219, 0, -3, 1)


@attempt("read the kernel's log")
def _():
    return call(103, 116, 3, ctypes.create_string_buffer(64), 64)


@attempt("set the clock")
def _():
    return call(227, 112, 0, struct.pack("=QQ", 1, 0))


@attempt("rename the machine")
def _():
    return call(170, 161, b"imker", 5)


@attempt("type into the terminal of who started the agent")
def _():
    return call(16, 29, 0, 0x5412, b"x")


@attempt("become root")
def _():
    os.setuid(0 if os.getuid() else 1)
    return True


@attempt("gain rights by a program that has them")
def _():
    status = open("/proc/self/status", encoding="ascii").read()
    return "NoNewPrivs:\t1" not in status


@attempt("keep any capability")
def _():
    lines = open("/proc/self/status", encoding="ascii").read().splitlines()
    return any(int(line.split()[1], 16) for line in lines if line.startswith("Cap"))


@attempt("leave the work folder through the descriptor of the output")
def _():
    return read("/proc/self/fd/1/../token")


@attempt("connect to a service on the machine's loopback")
def _():
    socket.create_connection(("127.0.0.1", LOOPBACK), 2)
    return True


@attempt("send to another machine")
def _():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 9))
    return True


@attempt("talk to the host of a virtual machine")
def _():
    socket.socket(40, socket.SOCK_STREAM)
    return True


@attempt("see network traffic")
def _():
    socket.socket(17, socket.SOCK_RAW, 3)
    return True


@attempt("see the shared memory of others")
def _():
    with open("/proc/sysvipc/shm", encoding="ascii") as table:
        return len(table.readlines()) > 1


for attempted, function in ATTEMPTS:
    try:
        done = function()
    except OSError:
        done = False
    print("ESCAPED" if done else "refused", attempted, sep=": ", flush=True)
