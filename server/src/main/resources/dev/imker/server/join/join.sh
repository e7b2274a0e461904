#!/bin/sh
# Lends this machine to the pool at @URL@:
#   curl … @URL@/join | IMKER_JOIN=TOKEN sh -s -- [OPTIONS]
#   --service   starts with the machine from now on (systemd, launchd): root's for the whole machine,
#               anybody else's for that user; without it the agent runs until Ctrl-C
#   --dir DIR   where the program goes (default: ~/.local/share/imker-agent, root's: /opt/imker-agent)
#   Other options go to 'imker agent', for example --name or --label.
# Whoever has this script got it from the server whose key the line names. What it fetches comes from a
# server with the same key and has to have the sum below before any of it is run.
set -eu

url='@URL@'
pin='@PIN@'
plain_sum='@PLAIN_SUM@'
linux_sum='@LINUX_SUM@' # of the archive with a Java for Linux on x86_64; empty if the server has none

say() { echo "imker: $*" >&2; }

die() {
  say "$@"
  exit 2
}

# fetch PATH FILE; the token is in no list of processes.
fetch() {
  {
    echo "header = \"Authorization: Bearer $IMKER_JOIN\""
    if [ -n "$pin" ]; then
      echo insecure
      echo "pinnedpubkey = \"$pin\""
    fi
  } | curl -fsS -K - -o "$2" "$url$1" || die "$url$1 could not be fetched; take the line anew from 'imker join'."
}

sum() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# Whether the Java that the server has along runs here.
is_usual_linux() {
  [ "$(uname -s) $(uname -m)" = "Linux x86_64" ] && [ -e /lib64/ld-linux-x86-64.so.2 ]
}

# install_program DIR; one that is there is replaced in one step.
install_program() {
  mkdir -p "${1%/*}"
  new=$(mktemp -d "$1.XXXXXX")
  trap 'rm -rf "$new"' EXIT
  trap 'exit 130' INT TERM
  archive=program.tar expected=$plain_sum
  if [ -n "$linux_sum" ] && is_usual_linux; then
    archive=program-linux-x86_64.tar expected=$linux_sum
  fi
  say "fetching the agent from $url"
  fetch "/join/$archive" "$new/program.tar"
  [ "$(sum "$new/program.tar")" = "$expected" ] ||
    die "What $url/join/$archive sent is not what this script knows; nothing was installed. Try again."
  tar -xf "$new/program.tar" -C "$new"
  rm -f "$new/program.tar"
  chmod 755 "$new"
  "$new/bin/imker" --version >/dev/null || die "The agent does not run on this machine; nothing was installed."
  rm -rf "$1.old"
  if [ -e "$1" ]; then mv "$1" "$1.old"; fi
  mv "$new" "$1"
  rm -rf "$1.old"
  trap - EXIT INT TERM
}

# A user of its own, and nothing of root's but the right to begin with the machine.
service_of_system() {
  id imker >/dev/null 2>&1 ||
    useradd --system --user-group --no-create-home --home-dir /var/lib/imker-agent --shell /usr/sbin/nologin imker
  "$1/bin/imker" agent install >/dev/null
  chown -R imker: /var/lib/imker-agent
  systemctl daemon-reload
  systemctl enable imker-agent
  systemctl restart imker-agent
}

service_of_user() {
  "$1/bin/imker" agent install >/dev/null
  systemctl --user daemon-reload
  systemctl --user enable imker-agent
  systemctl --user restart imker-agent
  loginctl enable-linger 2>/dev/null ||
    say "the agent stops when you log out, because 'loginctl enable-linger' was refused"
}

service_of_mac() {
  "$1/bin/imker" agent install >/dev/null
  launchctl bootout "gui/$(id -u)/dev.imker.agent" 2>/dev/null || true
  launchctl bootstrap "gui/$(id -u)" "$HOME/Library/LaunchAgents/dev.imker.agent.plist"
}

begin_service() {
  if [ "$(uname -s)" = Darwin ]; then
    service_of_mac "$1"
  elif [ ! -d /run/systemd/system ]; then
    die "There is no systemd on this machine. The agent is installed; start it with: $1/bin/imker agent"
  elif [ "$(id -u)" = 0 ]; then
    service_of_system "$1"
  else
    service_of_user "$1"
  fi
  say "the agent runs, and starts with the machine. To remove it: $1/bin/uninstall"
}

main() {
  service='' dir=''
  if [ "$(id -u)" = 0 ]; then dir=/opt/imker-agent; else dir=${HOME:-}/.local/share/imker-agent; fi
  while [ $# -gt 0 ]; do
    case $1 in
      --service) service=1 ;;
      --dir)
        [ $# -gt 1 ] || die "--dir needs a folder."
        case $2 in /*) dir=$2 ;; *) dir=$PWD/$2 ;; esac
        shift
        ;;
      *) break ;;
    esac
    shift
  done
  case ${IMKER_JOIN:-} in
    imker-join-*) ;;
    *) die "Which pool? IMKER_JOIN has to be the join token: take the whole line from 'imker join'." ;;
  esac
  export IMKER_JOIN
  if [ -n "$service" ] && [ $# -gt 0 ]; then
    die "With --service there are no further options: $*"
  fi
  command -v curl >/dev/null 2>&1 || die "curl is needed, and is not installed."
  umask 022
  install_program "$dir"
  if [ -n "$service" ]; then
    begin_service "$dir"
    exit
  fi
  say "installed in $dir. To start it again: $dir/bin/imker agent   To remove it: $dir/bin/uninstall"
  exec "$dir/bin/imker" agent "$@" </dev/null
}

main "$@"
