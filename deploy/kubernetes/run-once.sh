#!/bin/sh
# Runs a program of a service's image once, with the variables and rights that the service's pods have, in a pod of its own, and
# prints what it says. For what may only be done while no pod of the service runs (docs/operating.md, after a restore).
#
#   ./run-once.sh team-messaging messaging node dist/after-restore.js       namespace, Deployment, program and arguments
#   ./run-once.sh team-messaging chat-events node dist/end-queues.js        of a Helm release that is called chat
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

# What the template of the Deployment's pods says, as JSON: path, and what stands for nothing.
of() {
  said=$(kubectl --namespace "$namespace" get deployment "$deployment" --output "jsonpath={.spec.template$1}")
  printf "%s\n" "${said:-$2}"
}
image=$(of '.spec.containers[0].image' '')
labels=$(of .metadata.labels '{}')
account=$(of .spec.serviceAccountName default)
environment=$(of '.spec.containers[0].env' '[]')
resources=$(of '.spec.containers[0].resources' '{}')
rights=$(of '.spec.containers[0].securityContext' '{}')
mounts=$(of '.spec.containers[0].volumeMounts' '[]')
pod_rights=$(of .spec.securityContext '{}')
volumes=$(of .spec.volumes '[]')
pull_secrets=$(of .spec.imagePullSecrets '[]')
nodes=$(of .spec.nodeSelector '{}')
tolerations=$(of .spec.tolerations '[]')

# Its labels let it through the network policies of the service. A name of its own for each time.
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
