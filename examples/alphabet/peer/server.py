"""An alphabet server: answers the line 1 by the line A, 2 by B, up to 26.

    python3 server.py HOST:PORT

Without an argument it listens where the variable HEDDLE_ADDR says, or at a port
that the system chooses. It serves until it is killed, many clients at once.
"""

import os
import socket
import sys
import threading


def letter(line):
    n = int(line) if line.strip().isdigit() else 0
    return chr(ord("A") + n - 1) if 1 <= n <= 26 else "?"


def serve(conn):
    with conn, conn.makefile("r") as requests:
        for line in requests:
            conn.sendall(letter(line).encode() + b"\n")


def main():
    addr = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("HEDDLE_ADDR", "127.0.0.1:0")
    host, port = addr.rsplit(":", 1)
    with socket.create_server((host, int(port))) as listener:
        print("listening on %s:%d" % listener.getsockname(), flush=True)
        while True:
            conn, _ = listener.accept()
            threading.Thread(target=serve, args=(conn,), daemon=True).start()


main()
