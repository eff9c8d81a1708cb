"""The server of the file transfer: numbers of packets over TCP, packets by datagrams.

    python3 server.py HOST:PORT HOST:PORT

It serves until it is killed.
"""

import socket
import sys
import threading

FILES = {"one": (1, b"abcd"), "two": (2, b"1234")}
SIZE = 2


def address(text):
    host, port = text.rsplit(":", 1)
    return host, int(port)


def describe(conn):
    with conn, conn.makefile("r") as questions:
        for line in questions:
            number, text = FILES.get(line.strip(), (0, b""))
            conn.sendall(b"%d %d\n" % (number, (len(text) + SIZE - 1) // SIZE))


def deliver(sock):
    while True:
        request, client = sock.recvfrom(128)
        words = request.decode().split()
        number, text = FILES.get(words[0], (0, b""))
        for i in map(int, words[1:]):
            if i * SIZE < len(text):
                sock.sendto(bytes([number, i]) + text[i * SIZE:(i + 1) * SIZE], client)


def main():
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind(address(sys.argv[2]))
    threading.Thread(target=deliver, args=(sock,), daemon=True).start()
    with socket.create_server(address(sys.argv[1])) as listener:
        while True:
            conn, _ = listener.accept()
            threading.Thread(target=describe, args=(conn,), daemon=True).start()


main()
