#!/bin/sh
# server.sh PORT starts an nginx that says hello.
top=${TMPDIR:-/tmp}/heddle-nginx-$(id -u)
mkdir -p "$top"
cat >"$top/$1.conf" <<END
daemon off;
master_process off;
pid nginx.pid;
events {}
http {
	access_log off;
	client_body_temp_path body;
	proxy_temp_path proxy;
	fastcgi_temp_path fastcgi;
	uwsgi_temp_path uwsgi;
	scgi_temp_path scgi;
	server {
		listen 127.0.0.1:$1;
		return 200 "hello\n";
	}
}
END
exec nginx -p "$top" -e stderr -c "$top/$1.conf"
