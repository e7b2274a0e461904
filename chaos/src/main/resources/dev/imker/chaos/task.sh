#!/bin/sh
# usage: task.sh LOG SECONDS [FILE...]: a task that keeps a log of itself outside the pool.
# Its word is job-index-lease-incarnation, with which the task's token begins. Nothing in it tells
# one run of a lease from another, so that a lease which runs twice is seen.
# GATE=FILE: fails while there is no such file. QUORUM=1: has the same result whoever runs it.
set -e
log=$1
seconds=$2
shift 2
lease=${IMKER_TASK_TOKEN#imker-t-}
word=${lease%%.*}
echo "b $word" >>"$log"
if [ -n "$GATE" ] && [ ! -e "$GATE" ]; then exit 3; fi
if [ -e progress ]; then cat progress >/dev/null; fi
echo "$word" >progress
sleep "$seconds"
echo "e $word" >>"$log"
if [ -n "$QUORUM" ]; then word=equal; fi
rm -f progress
echo "$word"
echo "$word" >r.txt
if [ $# -gt 0 ]; then cat "$@"; fi
