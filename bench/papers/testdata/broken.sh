#!/bin/sh
echo "./program: 12 states" >&2
echo "heddle check: no such flag" >&2
echo "a stack" >&2
exit 2
