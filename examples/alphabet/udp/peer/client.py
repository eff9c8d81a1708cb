"""An alphabet client for datagrams: asks for the first letters, one after the other.

    python3 client.py HOST:PORT N

It waits for each answer for as long as it takes.
"""

import socket
import sys


def main():
    host, port = sys.argv[1].rsplit(":", 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.connect((host, int(port)))
        for i in range(int(sys.argv[2])):
            s.send(bytes([ord("0") + i]))
            answer = s.recv(16)
            if answer != bytes([ord("a") + i]):
                sys.exit("got %r" % answer)


main()
