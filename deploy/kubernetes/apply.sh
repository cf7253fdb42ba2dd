#!/bin/sh
# Installs or upgrades an overlay: first shared objects, then the database migrations, and after these the services one by one.
# events comes first, since its old replicas would ignore new events of other services, and the gateway last, since it exposes
# new endpoints. A failure ends the program; the remaining services stay unchanged.
#
#   ./apply.sh overlays/production [time limit of migrations in minutes, default: 60]
#   ./apply.sh --back overlays/production     to the release before, in reverse order; databases stay unchanged
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
# Number of Jobs in a condition: Complete or Failed.
count() {
  kubectl --namespace "$namespace" get jobs --selector tms-step=migrate \
    --output "jsonpath={range .items[*]}{.status.conditions[?(@.type==\"$1\")].status}{\"\n\"}{end}" | grep -c True || true
}
apply() { kubectl apply --kustomize "$overlay" --selector "$1"; }

migrate() {
  # Jobs are immutable and have to be recreated.
  kubectl --namespace "$namespace" delete jobs --selector tms-step=migrate --ignore-not-found
  # The Jobs get the same time limit as the wait below.
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

# Removes `replicas` from the last applied configuration: otherwise leaving it to an autoscaler would set it to 1.
forget_replicas() {
  applied=$(kubectl --namespace "$namespace" apply view-last-applied "deployment/$1" --output yaml 2>/dev/null) || return 0
  printf "%s\n" "$applied" | grep -q '^  replicas: ' || return 0
  printf "%s\n" "$applied" | sed '/^  replicas: /d' |
    kubectl --namespace "$namespace" apply set-last-applied --filename -
}

apply tms-step=prepare
$back || migrate
for service in $order; do
  case "$rendered" in *'kind: HorizontalPodAutoscaler'*) forget_replicas "$service" ;; esac
  apply "tms-step=run,app.kubernetes.io/name=$service"
  kubectl --namespace "$namespace" rollout status "deployment/$service" --timeout=10m || {
    echo "$service is not replaced after 10 minutes; what comes after it is as it was." >&2
    exit 1
  }
done
# Objects that belong to no service.
apply tms-step=run
