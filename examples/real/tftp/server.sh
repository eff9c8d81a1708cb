#!/bin/sh
# server.sh ADDRESS starts a TFTP server for the folder files.
files=$(cd "$(dirname "$0")/files" && pwd)
exec atftpd --daemon --no-fork --bind-address 127.0.0.1 --port "${1##*:}" --user "$(id -un)" --group "$(id -gn)" --logfile - "$files"
