#!/bin/sh
# usage: task.sh LOG SECONDS [FILE...]: a task that keeps a log of itself outside the pool.
# Its word is job-index-lease.pid; the task's token begins with the first three.
set -e
log=$1
seconds=$2
shift 2
lease=${IMKER_TASK_TOKEN#imker-t-}
word=${lease%%.*}.$$
echo "b $word" >>"$log"
sleep "$seconds"
echo "e $word" >>"$log"
echo "$word"
echo "$word" >r.txt
if [ $# -gt 0 ]; then cat "$@"; fi
