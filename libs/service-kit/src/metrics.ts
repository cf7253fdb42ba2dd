import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export { Counter, Gauge, Histogram, Registry }

/** A registry with the process's own metrics, labelled with the service. */
export function createMetrics(service: string): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry })
  return registry
}
