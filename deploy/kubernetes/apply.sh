#!/bin/sh
# Installs or upgrades what an overlay describes: first what all need, then the migrations of the databases, and only when
# those are done the services, one after the other: events first, since an old replica of it would pass over what newer
# services tell, and the gateway last, which makes everything reachable. What fails ends it; the rest goes on as it was.
#
#   ./apply.sh overlays/production [minutes that migrations may take, 60 unless said]
#   ./apply.sh --back overlays/production     to the release before: the other way round, and databases stay as they are
set -eu
order='events messaging users realm gateway'
back=false
if [ "${1:-}" = --back ]; then
  back=true
  order='gateway realm users messaging events'
  shift
fi
case "${1:-}" in
  '' | -*) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
overlay=$1
minutes=${2:-60}
case "$minutes" in
  *[!0-9]* | 0*) echo "$minutes is no number of minutes" >&2; exit 2 ;;
esac
rendered=$(kubectl kustomize "$overlay")
namespace=$(printf "%s\n" "$rendered" | sed -n '/^kind: Namespace/,/^---/s/^  name: //p')
migrations=$(printf "%s\n" "$rendered" | grep -c '^kind: Job')
[ -n "$namespace" ] || { echo "$overlay has no Namespace" >&2; exit 1; }
# How many Jobs are in a condition: Complete or Failed.
count() {
  kubectl --namespace "$namespace" get jobs --selector tms-step=migrate \
    --output "jsonpath={range .items[*]}{.status.conditions[?(@.type==\"$1\")].status}{\"\n\"}{end}" | grep -c True || true
}
bring() { kubectl apply --kustomize "$overlay" --selector "$1"; }

migrate() {
  # A Job can't be changed, only made anew.
  kubectl --namespace "$namespace" delete jobs --selector tms-step=migrate --ignore-not-found
  # Jobs have as long as is waited for them here.
  printf "%s\n" "$rendered" | sed "s/^  activeDeadlineSeconds: .*/  activeDeadlineSeconds: $((minutes * 60))/" |
    kubectl apply --selector tms-step=migrate --filename -
  deadline=$(($(date +%s) + minutes * 60))
  while [ "$(count Complete)" -ne "$migrations" ]; do
    if [ "$(date +%s)" -ge "$deadline" ]; then
      echo "Migrations took longer than $minutes minutes and are ended; no service was changed." >&2
      exit 1
    fi
    if [ "$(count Failed)" -ne 0 ]; then
      echo "A migration failed; no service was changed. What it said:" >&2
      kubectl --namespace "$namespace" logs --selector tms-migration --prefix --tail=20 >&2
      exit 1
    fi
    sleep 2
  done
}

# What an apply before said of replicas, and this one leaves to an autoscaler, would become 1.
leave_replicas() {
  applied=$(kubectl --namespace "$namespace" apply view-last-applied "deployment/$1" --output yaml 2>/dev/null) || return 0
  printf "%s\n" "$applied" | grep -q '^  replicas: ' || return 0
  printf "%s\n" "$applied" | sed '/^  replicas: /d' |
    kubectl --namespace "$namespace" apply set-last-applied --filename -
}

bring tms-step=prepare
$back || migrate
for service in $order; do
  case "$rendered" in *'kind: HorizontalPodAutoscaler'*) leave_replicas "$service" ;; esac
  bring "tms-step=run,app.kubernetes.io/name=$service"
  kubectl --namespace "$namespace" rollout status "deployment/$service" --timeout=10m || {
    echo "$service is not replaced after 10 minutes; what comes after it is as it was." >&2
    exit 1
  }
done
# What is no service's own.
bring tms-step=run
