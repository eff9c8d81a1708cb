"""An alphabet server for datagrams: answers 0 by a, 1 by b, up to 9.

    python3 server.py HOST:PORT

It serves until it is killed.
"""

import os
import socket
import sys


def main():
    addr = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("HEDDLE_ADDR", "127.0.0.1:0")
    host, port = addr.rsplit(":", 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind((host, int(port)))
        print("listening on %s:%d" % s.getsockname(), flush=True)
        while True:
            data, sender = s.recvfrom(16)
            s.sendto(bytes(b - ord("0") + ord("a") if 48 <= b <= 57 else 63 for b in data), sender)


main()
