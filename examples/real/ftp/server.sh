#!/bin/sh
# server.sh PORT starts an FTP server for the folder files, which lets anybody in.
here=$(cd "$(dirname "$0")" && pwd)
exec vsftpd "$here/vsftpd.conf" -olisten_port="$1" -oanon_root="$here/files"
