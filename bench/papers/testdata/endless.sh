#!/bin/sh
# Waits for input that never comes.
exec tail -f /dev/null
