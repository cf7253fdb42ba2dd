import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export { Counter, Gauge, Histogram, Registry }

/** How often the lag of the event loop is measured; more often wakes even an idle process. Each value includes it. */
const LAG_EVERY_MS = 50

/** A registry with the process's own metrics, labelled with the service. */
export function createMetrics(service: string): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_EVERY_MS })
  return registry
}

const REQUEST_DURATIONS = 'http_request_duration_seconds'

/** How long requests take, measured the same way in every service: alerts and dashboards read them as one. */
export function requestDurationsOf(registry: Registry): Histogram<'endpoint' | 'status'> {
  const existing = registry.getSingleMetric(REQUEST_DURATIONS)
  if (existing) return existing as Histogram<'endpoint' | 'status'>
  return new Histogram({
    name: REQUEST_DURATIONS,
    help: 'Time to answer a request, by endpoint and status. Polls include the time they waited.',
    labelNames: ['endpoint', 'status'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 60],
    registers: [registry],
  })
}
