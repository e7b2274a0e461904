"""Counts the words of a text in three phases, by tasks that run at the same time on any machines.

map     each task reads its share of the lines and sorts its words into one basket per task
        (barrier: all baskets are on the blackboard)
sort    each task takes the baskets meant for it, and merges them into one sorted list
        (barrier: all lists are on the blackboard)
reduce  each task counts the words of its list; no word is in two of them

usage: phases.py TEXT NUMBER-OF-TASKS
Plain Python, nothing to install: barriers and blackboard are plain HTTP.
"""

import http.client
import json
import os
import socket
import ssl
import sys
import time
import urllib.error
import urllib.request
import zlib

JOB = os.environ["IMKER_JOB"]
ME = int(os.environ["IMKER_TASK_NUMBER"])
SERVERS = os.environ["IMKER_URLS"].split(",")
TLS = ssl.create_default_context(cafile=os.environ.get("IMKER_CACERT"))
PATIENCE_SECONDS = 120


class SameMethod(urllib.request.HTTPRedirectHandler):
    """A server that does not lead sends on to the one that does; the request stays what it is."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        return urllib.request.Request(newurl, req.data, req.headers, method=req.get_method())


class BySocket(urllib.request.HTTPHandler):
    """In a sandbox the way home is a socket of the agent."""

    def http_open(self, req):
        return self.do_open(self.connection, req)

    @staticmethod
    def connection(host, timeout=None):
        made = http.client.HTTPConnection(host, timeout=timeout)
        made.sock = socket.socket(socket.AF_UNIX)
        made.sock.connect(os.environ["IMKER_SOCKET"])
        return made


HANDLERS = [SameMethod(), urllib.request.HTTPSHandler(context=TLS)]
if "IMKER_SOCKET" in os.environ:
    HANDLERS.append(BySocket())
WEB = urllib.request.build_opener(*HANDLERS)


def call(method, path, body=None):
    """Asks the servers in turn until one answers, so that a fail-over is only a pause."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        for server in SERVERS:
            request = urllib.request.Request(server + "/api/v1/" + path, body, method=method)
            request.add_header("Authorization", "Bearer " + os.environ["IMKER_TASK_TOKEN"])
            request.add_header("Content-Type", "application/json")
            try:
                return WEB.open(request, timeout=30).read()
            except urllib.error.HTTPError as error:
                if error.code == 404:
                    return None
                if error.code < 500 and error.code != 307:
                    raise
            except OSError:
                pass  # this server is away
        if time.monotonic() > end:
            raise TimeoutError(path)
        time.sleep(0.2)


def post(name, words):
    call("PUT", f"board/{JOB}-{name}?description=phases", json.dumps(words).encode())


def fetch(name):
    found = call("GET", f"board/{JOB}-{name}")
    return None if found is None else json.loads(found)


def barrier(name, size, is_passed):
    """Waits until all tasks have come this far. A task that was started again on another machine
    after the others went on finds that out from what is on the blackboard."""
    enter = json.dumps({"action": "enter", "size": size, "wait": 5}).encode()
    while not json.loads(call("POST", f"coord/barrier/{name}", enter))["entered"]:
        if is_passed():
            return


def main(text, size):
    everybody = range(1, size + 1)
    with open(text, encoding="utf-8") as lines:
        share = [line for number, line in enumerate(lines) if number % size == ME - 1]
    baskets = {n: [] for n in everybody}
    for word in " ".join(share).lower().split():
        baskets[1 + zlib.crc32(word.encode()) % size].append(word)
    for n in everybody:
        post(f"basket-{ME}-{n}", baskets[n])
    barrier("mapped", size, lambda: all(fetch(f"basket-{n}-{ME}") is not None for n in everybody))

    mine = sorted(word for n in everybody for word in fetch(f"basket-{n}-{ME}"))
    post(f"sorted-{ME}", mine)
    barrier("sorted", size, lambda: all(fetch(f"sorted-{n}") is not None for n in everybody))

    counts = {}
    for word in fetch(f"sorted-{ME}"):
        counts[word] = counts.get(word, 0) + 1
    with open("counts.txt", "w", encoding="utf-8") as out:
        for word in sorted(counts):
            out.write(f"{word} {counts[word]}\n")


main(sys.argv[1], int(sys.argv[2]))
