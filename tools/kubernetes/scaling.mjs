// Autoscaling: of each component by CPU time, of events also by its load.
import { labelsOf } from './targets.mjs'

/** Up at once, down slowly: clients of a removed replica have to poll another. */
const behavior = {
  scaleUp: { stabilizationWindowSeconds: 0 },
  scaleDown: { stabilizationWindowSeconds: 300, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
}

const targetOf = (name, target) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name: target.name(name) })

/** Keeps the CPU time of a component's pods near the target. */
export function horizontalAutoscaler(name, target) {
  const at = (key) => target.value(`${name}.autoscaling.${key}`)
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: target.name(name), labels: labelsOf(target, name) },
    spec: {
      scaleTargetRef: targetOf(name, target),
      minReplicas: at('minReplicas'),
      maxReplicas: at('maxReplicas'),
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: at('targetCPU') } },
        },
      ],
      behavior,
    },
  }
}

/** KEDA's Prometheus queries about events; `series` selects the series. */
export const eventsQueries = (series) => ({
  logLag: `max(event_log_lag_entries{${series}})`,
  liveQueues: `sum(event_queues_live{${series}})`,
})

/** KEDA's scaling of events by CPU time, log lag and live queues, whichever needs most replicas. */
export function eventsScaledObject(target) {
  const at = (key) => target.value(`events.autoscaling.${key}`)
  const queries = eventsQueries(target.series)
  const prometheus = (query, threshold) => ({
    type: 'prometheus',
    metadata: {
      serverAddress: target.value('keda.prometheusAddress'),
      query,
      threshold: target.text(threshold),
    },
  })
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: {
      name: target.name('events'),
      labels: labelsOf(target, 'events'),
      // KEDA takes over an existing HorizontalPodAutoscaler instead of failing.
      annotations: { 'scaledobject.keda.sh/transfer-hpa-ownership': 'true' },
    },
    spec: {
      scaleTargetRef: targetOf('events', target),
      minReplicaCount: at('minReplicas'),
      maxReplicaCount: at('maxReplicas'),
      pollingInterval: 15,
      advanced: { horizontalPodAutoscalerConfig: { name: target.name('events'), behavior } },
      triggers: [
        {
          type: 'cpu',
          metricType: 'Utilization',
          metadata: { value: target.text('events.autoscaling.targetCPU') },
        },
        prometheus(queries.logLag, 'keda.logLagEntries'),
        prometheus(queries.liveQueues, 'keda.liveQueues'),
      ],
    },
  }
}
