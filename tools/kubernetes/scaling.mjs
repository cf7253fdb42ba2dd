// How many there are of each component: by processor time, and events by what it has to do.
import { labelsOf } from './targets.mjs'

/** Up at once, down slowly: clients of a replica that goes have to poll anew. */
const behavior = {
  scaleUp: { stabilizationWindowSeconds: 0 },
  scaleDown: { stabilizationWindowSeconds: 300, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
}

const targetOf = (name, t) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name: t.name(name) })

/** Keeps the processor time of a component's pods near what is wanted. */
export function horizontalAutoscaler(name, t) {
  const at = (key) => t.value(`${name}.autoscaling.${key}`)
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: t.name(name), labels: labelsOf(t, name) },
    spec: {
      scaleTargetRef: targetOf(name, t),
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

/** What KEDA asks Prometheus about events, of the series that `series` selects. */
export const eventsQueries = (series) => ({
  logLag: `max(event_log_lag_entries{${series}})`,
  liveQueues: `sum(event_queues_live{${series}})`,
})

/** KEDA's, for events: processor time, log entries that wait, and live queues, whichever wants most replicas. */
export function eventsScaledObject(t) {
  const at = (key) => t.value(`events.autoscaling.${key}`)
  const queries = eventsQueries(t.series)
  const prometheus = (query, threshold) => ({
    type: 'prometheus',
    metadata: { serverAddress: t.value('keda.prometheusAddress'), query, threshold: t.text(threshold) },
  })
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: {
      name: t.name('events'),
      labels: labelsOf(t, 'events'),
      // Where there was the other autoscaler before, KEDA goes on with that one instead of refusing to be a second.
      annotations: { 'scaledobject.keda.sh/transfer-hpa-ownership': 'true' },
    },
    spec: {
      scaleTargetRef: targetOf('events', t),
      minReplicaCount: at('minReplicas'),
      maxReplicaCount: at('maxReplicas'),
      pollingInterval: 15,
      advanced: { horizontalPodAutoscalerConfig: { name: t.name('events'), behavior } },
      triggers: [
        {
          type: 'cpu',
          metricType: 'Utilization',
          metadata: { value: t.text('events.autoscaling.targetCPU') },
        },
        prometheus(queries.logLag, 'keda.logLagEntries'),
        prometheus(queries.liveQueues, 'keda.liveQueues'),
      ],
    },
  }
}
