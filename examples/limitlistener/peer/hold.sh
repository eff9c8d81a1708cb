#!/bin/bash
# A client that says nothing, and stays until the server closes the connection.
#
#     hold.sh HOST:PORT
exec 3<>"/dev/tcp/${1%:*}/${1##*:}" || exit
read -r <&3
exit 0
