#!/bin/bash
# A chat client: says one line, hears one line, and leaves.
#
#     client.sh HOST:PORT [NAME]
exec 3<>"/dev/tcp/${1%:*}/${1##*:}" || exit
echo "${2}hello" >&3
read -r line <&3
echo "heard $line"
