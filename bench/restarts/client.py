# A client that counts in a store, by the inline commands of redis.
import socket
import sys

host, port = sys.argv[1].rsplit(":", 1)
s = socket.create_connection((host, int(port)))
f = s.makefile("rwb")
f.write(b"INCR n\r\n")
f.flush()
f.readline()
f.write(b"GET n\r\n")
f.flush()
f.readline()
f.readline()
s.close()
