#!/bin/sh
# server.sh PORT starts a postgres with an empty database of its own, without passwords. Two servers
# cannot share a folder, and several run at once: each has a copy of one that was made once. The copies of
# servers that have ended are removed by the next one.
set -e
port=$1
export PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)"
if [ "$(id -u)" = 0 ]; then # postgres refuses to run as root
	as="setpriv --reuid=postgres --regid=postgres --clear-groups"
fi
top=${TMPDIR:-/tmp}/heddle-postgres-$(id -u)
if [ ! -d "$top/empty" ]; then
	mkdir -p "$top" && chmod 711 "$top"
	new=$(mktemp -d "$top/new.XXXXXX")
	[ -z "$as" ] || chown postgres "$new"
	$as initdb -D "$new" -U postgres -A trust -E UTF8 --no-locale --no-sync >/dev/null
	mv -T "$new" "$top/empty" || rm -rf "$new"
fi
for old in "$top"/run.*; do
	[ -d "/proc/${old##*.}" ] || rm -rf "$old"
done
cp -a "$top/empty" "$top/run.$$"
exec $as postgres -D "$top/run.$$" -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \
	-c fsync=off -c autovacuum=off -c shared_buffers=1MB -c max_connections=10
