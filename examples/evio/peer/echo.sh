#!/bin/bash
# An echo client: says a line, and looks whether it comes back.
#
#     echo.sh HOST:PORT
exec 3<>"/dev/tcp/${1%:*}/${1##*:}" || exit
echo hello >&3
read -r line <&3
[ "$line" = hello ] || { echo "got $line" >&2; exit 1; }
