"""Kills the program that makes a sandbox, at random moments: killed_makers.py PROGRAM ROUNDS. Prints how many
sandboxes went on."""
import os
import random
import select
import subprocess
import sys
import time

LONGEST_SECONDS = 0.005
USER = ["--unshare-user"] if os.getuid() else ["--user", "59321"]
OPTIONS = USER + """--unshare-pid --unshare-ipc --unshare-uts --unshare-net --ro-bind /usr /usr
    --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev
    --dir /tmp --remount-ro / --chdir / --setenv PATH /usr/bin:/bin""".split()
program, rounds = sys.argv[1], int(sys.argv[2])
went_on = 0
for _ in range(rounds):
    options = os.memfd_create("options", 0)
    os.write(options, b"".join(one.encode() + b"\0" for one in OPTIONS))
    os.lseek(options, 0, os.SEEK_SET)
    read, write = os.pipe()
    maker = subprocess.Popen(
        [program, "--args", str(options), "--", "sleep", "31536000"],
        stdout=write, stderr=subprocess.DEVNULL, pass_fds=[options],
    )
    os.close(write)
    os.close(options)
    time.sleep(random.random() * LONGEST_SECONDS)
    maker.kill()
    maker.wait()
    # It ends when nobody is left who could write to it.
    if not select.select([read], [], [], 20)[0]:
        went_on += 1
    os.close(read)
print(went_on)
