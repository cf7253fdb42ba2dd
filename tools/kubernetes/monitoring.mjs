// For the Prometheus operator: what is collected, and when somebody is told.
import { alertRules } from './alerts.mjs'
import { components } from './components.mjs'
import { CHART, labelsOf, selectorOf } from './targets.mjs'

const INTERVAL = '15s'

/** A ServiceMonitor for each service, and one PrometheusRule. */
export function monitoring(settingsByService, t) {
  const partitions = settingsByService.events.find(({ name }) => name === 'EVENTS_PARTITIONS')
  const more = t.entries('monitoring.labels')
  const monitors = Object.keys(components).map((name) => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name: t.name(name), labels: { ...labelsOf(t, name), ...more } },
    spec: {
      selector: { matchLabels: selectorOf(t, name) },
      endpoints: [
        {
          port: 'http',
          path: '/metrics',
          scheme: t.choose('tls.enabled', 'https', 'http'),
          tlsConfig: t.when('tls.enabled', {
            ca: { secret: { name: t.value('tls.secret'), key: 'ca.crt' } },
            // Prometheus asks the addresses of pods, which no certificate has.
            serverName: t.name(name),
          }),
          interval: INTERVAL,
          relabelings: [
            // The job is the same whatever the installation is called; the namespace tells installations apart.
            { action: 'replace', targetLabel: 'job', replacement: `tms-${name}` },
            // The operator calls the port's name and the Service's so, by which ours would become exported_endpoint.
            { action: 'labeldrop', regex: 'endpoint|service' },
          ],
        },
      ],
    },
  }))
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: t.name('alerts'), labels: { ...labelsOf(t, 'alerts'), ...more } },
    spec: {
      groups: [
        {
          name: CHART,
          rules: alertRules({
            series: t.series,
            partitions: t.setting(partitions.key, partitions.fallback),
            labels: { namespace: t.namespace },
          }),
        },
      ],
    },
  }
  return [...monitors, rule]
}
