# A server that keeps a value, a counter, a lock, a queue and sessions: a thread for
# each connection. The same as keep.pl and main.go.
import socket
import sys
import threading

host, port = sys.argv[1].rsplit(":", 1)
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind((host, int(port)))
listener.listen(16)

mutex = threading.Lock()
kept = {"value": "0", "count": 0, "locked": False, "queue": [], "sessions": {}}


def answer(words):
    command = words[0]
    if command == "GET":
        return kept["value"]
    if command == "SET":
        kept["value"] = words[1]
    elif command == "INCR":
        kept["count"] += 1
        return str(kept["count"])
    elif command == "LOCK":
        if kept["locked"]:
            return "BUSY"
        kept["locked"] = True
    elif command == "UNLOCK":
        kept["locked"] = False
    elif command == "PUSH":
        kept["queue"].append(words[1])
    elif command == "POP":
        return kept["queue"].pop(0) if kept["queue"] else "EMPTY"
    elif command == "LOGIN":
        kept["sessions"]["token-" + words[1]] = words[1]
        return "token-" + words[1]
    elif command == "WHO":
        return kept["sessions"].get(words[1], "DENIED")
    return "OK"


def serve(conn):
    with conn, conn.makefile("rw", newline="\n") as lines:
        for line in lines:
            with mutex:
                said = answer(line.split())
            lines.write(said + "\n")
            lines.flush()


while True:
    connection, _ = listener.accept()
    threading.Thread(target=serve, args=(connection,), daemon=True).start()
