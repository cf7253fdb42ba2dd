#!/bin/sh
# Runs a program of a service's image once in a separate pod, with the variables and permissions of the service's pods, and prints
# its output. For programs that require that no pod of the service runs (docs/operating.md, after a restore).
#
#   ./run-once.sh team-messaging messaging node dist/after-restore.js       namespace, Deployment, program and arguments
#   ./run-once.sh team-messaging chat-events node dist/end-queues.js        of a Helm release named chat
set -eu
case "${3:-}" in
  '' | -*) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
namespace=$1
deployment=$2
shift 2
command=
for word in "$@"; do
  case "$word" in *[\"\\]*) echo "no quotes and backslashes: $word" >&2; exit 2 ;; esac
  command="$command${command:+, }\"$word\""
done

# Reads a field of the Deployment's pod template as JSON: path, and default.
read_template() {
  value=$(kubectl --namespace "$namespace" get deployment "$deployment" --output "jsonpath={.spec.template$1}")
  printf "%s\n" "${value:-$2}"
}
image=$(read_template '.spec.containers[0].image' '')
labels=$(read_template .metadata.labels '{}')
account=$(read_template .spec.serviceAccountName default)
environment=$(read_template '.spec.containers[0].env' '[]')
resources=$(read_template '.spec.containers[0].resources' '{}')
rights=$(read_template '.spec.containers[0].securityContext' '{}')
mounts=$(read_template '.spec.containers[0].volumeMounts' '[]')
pod_rights=$(read_template .spec.securityContext '{}')
volumes=$(read_template .spec.volumes '[]')
pull_secrets=$(read_template .spec.imagePullSecrets '[]')
nodes=$(read_template .spec.nodeSelector '{}')
tolerations=$(read_template .spec.tolerations '[]')

# The pod has the service's labels, so its network policies apply. Each run has a name of its own.
name="once-$(date +%s)"
exec kubectl --namespace "$namespace" run "$name" --image "$image" --restart Never --attach --rm --quiet \
  --pod-running-timeout 5m --overrides "{
  \"metadata\": { \"labels\": $labels },
  \"spec\": {
    \"serviceAccountName\": \"$account\", \"automountServiceAccountToken\": false, \"enableServiceLinks\": false,
    \"securityContext\": $pod_rights, \"imagePullSecrets\": $pull_secrets,
    \"nodeSelector\": $nodes, \"tolerations\": $tolerations, \"volumes\": $volumes,
    \"containers\": [{
      \"name\": \"$name\", \"image\": \"$image\", \"command\": [$command], \"env\": $environment,
      \"resources\": $resources, \"securityContext\": $rights, \"volumeMounts\": $mounts
    }]
  }
}"
