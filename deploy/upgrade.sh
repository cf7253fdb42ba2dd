#!/bin/sh
# Brings a running system of compose.replicas.yaml to another version, replica by replica, without a failed request or a lost
# event:
#
#   TMS_VERSION=2.0 ./upgrade.sh             to a newer version: its migrations first
#   TMS_VERSION=1.0 ./upgrade.sh --back      back to the version before: databases stay unchanged
#   ./upgrade.sh --restart                   the same version with changed settings (.env)
#
# Consumers of events are replaced before producers, and the gateway last, since it exposes new endpoints; --back reverses the
# order. At the end it writes the version into .env, so that the next `up` keeps it. It may be run again after a failure:
# replicas of the target version stay; those that were not ready or stopped are removed.
# Variables: TMS_VERSION, also from .env; COMPOSE_FILE, for further files; ENV_FILE in place of .env.
set -eu
cd "$(dirname "$0")"
COMPOSE_FILE=${COMPOSE_FILE:-compose.yaml:compose.replicas.yaml$([ ! -e compose.override.yaml ] || echo :compose.override.yaml)}
export COMPOSE_FILE
# More than a busy machine needs to start a replica.
READY_SECONDS=180
# The balancer notices a replica within this time.
NOTICED_SECONDS=3
# As in compose.yaml; services exit within 45.
STOP_SECONDS=50

migrates=false restarts=false
services='events messaging users realm gateway'
case "${1:-}" in
  '') migrates=true ;;
  --back) services='gateway realm users messaging events' ;;
  --restart) restarts=true ;;
  *) sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

if docker compose version >/dev/null 2>&1; then program='docker compose'; else program=docker-compose; fi
compose() { $program ${ENV_FILE:+--env-file "$ENV_FILE"} "$@"; }
say() { printf '%s %s\n' "$(date +%T)" "$*"; }
count() { printf '%s\n' "$1" | grep -c . || true; }

config=$(compose config)
# Finds containers by their labels: a call of Compose takes a second.
project=$(docker inspect --format '{{ index .Config.Labels "com.docker.compose.project" }}' "$(compose ps -q gateway | head -n 1)") ||
  { say 'nothing runs that could be replaced' >&2; exit 1; }
replicas() {
  docker ps --quiet --no-trunc --filter "label=com.docker.compose.project=$project" \
    --filter "label=com.docker.compose.service=$1" --filter label=com.docker.compose.oneoff=False ${2:+"$2"}
}
remove() {
  leaving=$1
  docker stop --time "$STOP_SECONDS" "$1" >/dev/null
  docker rm "$1" >/dev/null
  leaving=''
}
# Removes stopped replicas: Compose would start such an old one in place of a new one.
remove_stopped() {
  running=$(replicas "$1")
  for container in $(replicas "$1" --all); do
    case "$running" in *"$container"*) continue ;; esac
    docker rm "$container" >/dev/null
    say "$1: a replica that was stopped is removed"
  done
}

# The image ID of a service's target version.
wanted_image() {
  tag=$(printf '%s\n' "$config" | awk -v service="  $1:" '/^services:/ { inside = 1 } inside && $0 == service { here = 1; next }
    here && /^  [^ ]/ { exit } here && $1 == "image:" { print $2; exit }')
  docker image inspect --format '{{.Id}}' "$tag"
}

# At exit, removes new replicas that were not ready yet: the old ones continue, and the next run finds the same number of
# replicas. Completes a removal that has begun.
unproven_service='' before='' leaving=''
tidy_up() {
  trap '' HUP INT TERM
  if [ -n "$leaving" ]; then remove "$leaving"; return 0; fi
  [ -n "$unproven_service" ] || return 0
  for container in $(replicas "$unproven_service" --all); do
    case "$before" in *"$container"*) ;; *) remove "$container" ;; esac
  done
  unproven_service=''
}
trap tidy_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Waits until a container is ready.
await_ready() {
  waited=0
  until docker exec "$1" bash -c 'exec 3<>/dev/tcp/127.0.0.1/$PORT && printf "GET /health/ready HTTP/1.0\r\n\r\n" >&3 &&
      read -r answer <&3 && [[ $answer == *" 200 "* ]]' 2>/dev/null; do
    waited=$((waited + 1))
    if [ "$waited" -gt "$READY_SECONDS" ]; then
      say "a new replica ($1) is not ready after $READY_SECONDS s and is removed; the old ones go on. It said:" >&2
      docker logs --tail 50 "$1" >&2
      exit 1
    fi
    sleep 1
  done
}

has_image() { [ "$(docker inspect --format '{{.Image}}' "$1")" = "$2" ]; }

# Replaces each replica of a service with another image, or all: starts a new one, then removes the old one.
replace() {
  service=$1
  image=$(wanted_image "$service")
  remove_stopped "$service"
  for old in $(replicas "$service"); do
    $restarts || ! has_image "$old" "$image" || continue
    before=$(replicas "$service")
    more=$(($(count "$before") + 1))
    unproven_service=$service
    output=$(compose up --detach --no-deps --no-build --no-recreate --scale "$service=$more" "$service" 2>&1) ||
      { printf '%s\n' "$output" >&2; exit 1; }
    for new in $(replicas "$service"); do
      case "$before" in *"$new"*) ;; *) await_ready "$new" ;; esac
    done
    sleep "$NOTICED_SECONDS"
    leaving=$old
    unproven_service=''
    remove "$old"
    say "$service: a replica is replaced"
  done
  for replica in $(replicas "$service"); do
    has_image "$replica" "$image" || { say "$service: a replica ($replica) is not of the wanted version" >&2; exit 1; }
  done
}

# Writes the version into Compose's .env, atomically: otherwise it would apply to this run only, and the next `up` would bring
# everything back to the version in the file.
keep_version() {
  file=${ENV_FILE:-.env}
  [ -n "${TMS_VERSION+given}" ] || return 0
  if [ ! -e "$file" ]; then
    say "set TMS_VERSION=$TMS_VERSION wherever \`up\` has its variables from: without it the next one takes this back"
    return 0
  fi
  file=$(readlink -f "$file")
  # The copy has the owner and mode of the file that it replaces.
  if cp -p "$file" "$file.new" && TMS_VERSION=$TMS_VERSION awk '
      /^[ \t]*(export[ \t]+)?TMS_VERSION[ \t]*[=:]/ { if (!written++) print "TMS_VERSION=" ENVIRON["TMS_VERSION"]; next }
      { print }
      END { if (!written) print "TMS_VERSION=" ENVIRON["TMS_VERSION"] }' "$file" >"$file.new" && mv "$file.new" "$file"
  then
    say "$file has TMS_VERSION=$TMS_VERSION from now on"
  else
    rm -f "$file.new"
    say "$file can't be written: set TMS_VERSION=$TMS_VERSION in it, or the next \`up\` takes this back" >&2
    return 1
  fi
}

for service in $services; do
  [ -n "$(replicas "$service")" ] || { say "$service: no replica runs; nothing is changed" >&2; exit 1; }
done
if $migrates; then
  for service in users realm messaging; do
    compose run --rm -T --no-deps "migrate-$service"
    say "$service: the database is migrated"
  done
fi
for service in $services; do replace "$service"; done
say "every replica is of version ${TMS_VERSION:-that .env names}"
keep_version
