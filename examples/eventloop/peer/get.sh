#!/bin/bash
# An HTTP client: asks for / and looks whether the answer is a good one.
#
#     get.sh HOST:PORT
exec 3<>"/dev/tcp/${1%:*}/${1##*:}" || exit
printf 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n' >&3
read -r status <&3
case $status in
"HTTP/1.1 200 OK"*) ;;
*) echo "got $status" >&2; exit 1 ;;
esac
while read -r _; do :; done <&3
