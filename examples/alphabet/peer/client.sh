#!/bin/bash
# An alphabet client: sends the numbers from 1 to M, one a line, each after the
# letter for the one before, and looks whether the letters are the right ones.
#
#     client.sh HOST:PORT [M]
exec 3<>"/dev/tcp/${1%:*}/${1##*:}" || exit
letters=ABCDEFGHIJKLMNOPQRSTUVWXYZ
for ((i = 1; i <= ${2:-1}; i++)); do
	echo "$i" >&3
	read -r letter <&3
	[ "$letter" = "${letters:i-1:1}" ] || { echo "got $letter for $i" >&2; exit 1; }
done
