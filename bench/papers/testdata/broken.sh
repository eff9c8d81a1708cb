#!/bin/sh
echo no such flag >&2
exit 2
