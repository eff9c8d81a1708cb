"""A daytime server (RFC 867) for which it is always the same time.

    python3 server.py HOST:PORT

It serves one client after the other until it is killed.
"""

import socket
import sys


def main():
    host, port = sys.argv[1].rsplit(":", 1)
    with socket.create_server((host, int(port))) as listener:
        print("listening on %s:%d" % listener.getsockname(), flush=True)
        while True:
            conn, _ = listener.accept()
            with conn:
                conn.sendall(b"Tuesday, November 10, 2009 23:00:00-UTC\r\n")


main()
