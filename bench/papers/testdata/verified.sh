#!/bin/sh
[ "$*" = "check -json -timeout 1m0s -mem 4294967296 x" ] || exit 2
echo '{"verdict": "verified", "states": 12, "revisited": 3, "seconds": 1.5, "findings": [], "left": [], "targets": [{"error": "", "traffic": {"hits": 4}}]}'
