#!/bin/sh
# Installs or upgrades what an overlay describes: first what all need, then the migrations of the databases, and only when
# those are done the services. A migration that fails ends it; what runs goes on as it was.
#
#   ./apply.sh overlays/production [minutes that migrations may take, 60 unless said]
set -eu
overlay=${1:?an overlay, as overlays/production}
minutes=${2:-60}
rendered=$(kubectl kustomize "$overlay")
namespace=$(printf "%s\n" "$rendered" | sed -n '/^kind: Namespace/,/^---/s/^  name: //p')
migrations=$(printf "%s\n" "$rendered" | grep -c '^kind: Job')
[ -n "$namespace" ] || { echo "$overlay has no Namespace" >&2; exit 1; }
# How many Jobs are in a condition: Complete or Failed.
count() {
  kubectl --namespace "$namespace" get jobs --selector tms-step=migrate \
    --output "jsonpath={range .items[*]}{.status.conditions[?(@.type==\"$1\")].status}{\"\n\"}{end}" | grep -c True || true
}

kubectl apply --kustomize "$overlay" --selector tms-step=prepare
# A Job can't be changed, only made anew.
kubectl --namespace "$namespace" delete jobs --selector tms-step=migrate --ignore-not-found
kubectl apply --kustomize "$overlay" --selector tms-step=migrate

deadline=$(($(date +%s) + minutes * 60))
while [ "$(count Complete)" -ne "$migrations" ]; do
  if [ "$(count Failed)" -ne 0 ]; then
    echo "A migration failed; no service was changed. What it said:" >&2
    kubectl --namespace "$namespace" logs --selector tms-migration --prefix --tail=20 >&2
    exit 1
  fi
  [ "$(date +%s)" -lt "$deadline" ] || { echo "migrations took longer than $minutes minutes" >&2; exit 1; }
  sleep 2
done

kubectl apply --kustomize "$overlay" --selector tms-step!=migrate
for service in users realm messaging events gateway; do
  kubectl --namespace "$namespace" rollout status "deployment/$service" --timeout=10m
done
