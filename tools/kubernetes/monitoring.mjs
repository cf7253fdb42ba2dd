// For the Prometheus operator: what is collected, and when somebody is told.
import { alerts } from './alerts.mjs'
import { components } from './components.mjs'
import { CHART, labelsOf, selectorOf } from './targets.mjs'

const INTERVAL = '15s'

/** A ServiceMonitor for each service, and one PrometheusRule. */
export function monitoring(settingsByService, t) {
  const services = Object.keys(components)
  const partitions = settingsByService.events.find(({ name }) => name === 'EVENTS_PARTITIONS')
  const facts = { services, partitions: t.setting(partitions.key, partitions.fallback) }
  const monitors = services.map((name) => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name: t.name(name), labels: labelsOf(t, name) },
    spec: {
      selector: { matchLabels: selectorOf(t, name) },
      endpoints: [
        {
          port: 'http',
          path: '/metrics',
          interval: INTERVAL,
          // The job is the same whatever the installation is called; the namespace tells installations apart.
          relabelings: [{ action: 'replace', targetLabel: 'job', replacement: `tms-${name}` }],
        },
      ],
    },
  }))
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: t.name('alerts'), labels: labelsOf(t, 'alerts') },
    spec: {
      groups: [
        {
          name: CHART,
          rules: alerts.map((alert) => ({
            alert: `Tms${alert.name}`,
            expr: alert.expr(t, facts),
            for: alert.for,
            labels: { severity: alert.severity },
            annotations: {
              summary: alert.summary,
              runbook: `docs/runbook.md#${`Tms${alert.name}`.toLowerCase()}`,
            },
          })),
        },
      ],
    },
  }
  return [...monitors, rule]
}
