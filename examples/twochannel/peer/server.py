#!/usr/bin/env python3
"""A server of files in the manner of FTP.

    server.py HOST:PORT DATAHOST:DATAPORT

On a connection to HOST:PORT each line "GET name" is answered in two places: the file
goes over a new connection to DATAHOST:DATAPORT, and then the line "226 size", or "550" if
there is no such file, over the first one.
"""
import socket
import sys

FILES = {"a": b"alpha\n", "b": b"beta, a longer one\n"}


def address(text):
    host, _, port = text.rpartition(":")
    return host, int(port)


def serve(conn, data):
    lines = conn.makefile("r", newline="\n")
    for line in lines:
        name = line.removeprefix("GET ").strip()
        if name not in FILES:
            conn.sendall(b"550\n")
            continue
        with socket.create_connection(data) as channel:
            channel.sendall(FILES[name])
        conn.sendall(b"226 %d\n" % len(FILES[name]))


def main():
    data = address(sys.argv[2])
    with socket.create_server(address(sys.argv[1])) as listener:
        print("listening on %s:%d" % listener.getsockname(), flush=True)
        while True:
            conn, _ = listener.accept()
            with conn:
                serve(conn, data)


if __name__ == "__main__":
    main()
