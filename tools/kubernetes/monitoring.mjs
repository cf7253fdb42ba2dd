// Metrics and alerts for the Prometheus operator.
import { createAlertRules } from './alerts.mjs'
import { components } from './components.mjs'
import { CHART, labelsOf, selectorOf } from './targets.mjs'

const INTERVAL = '15s'

/** A ServiceMonitor for each service, and one PrometheusRule. */
export function monitoring(settingsByService, target) {
  const partitions = settingsByService.events.find(({ name }) => name === 'EVENTS_PARTITIONS')
  const more = target.entries('monitoring.labels')
  const monitors = Object.keys(components).map((name) => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name: target.name(name), labels: { ...labelsOf(target, name), ...more } },
    spec: {
      selector: { matchLabels: selectorOf(target, name) },
      endpoints: [
        {
          port: 'http',
          path: '/metrics',
          scheme: target.choose('tls.enabled', 'https', 'http'),
          tlsConfig: target.when('tls.enabled', {
            ca: { secret: { name: target.value('tls.secret'), key: 'ca.crt' } },
            // Prometheus connects to IP addresses of pods, which no certificate contains.
            serverName: target.name(name),
          }),
          interval: INTERVAL,
          relabelings: [
            // The job doesn't depend on the installation's name; the namespace distinguishes installations.
            { action: 'replace', targetLabel: 'job', replacement: `tms-${name}` },
            // The operator adds labels of these names, which would rename ours to exported_endpoint.
            { action: 'labeldrop', regex: 'endpoint|service' },
          ],
        },
      ],
    },
  }))
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: target.name('alerts'), labels: { ...labelsOf(target, 'alerts'), ...more } },
    spec: {
      groups: [
        {
          name: CHART,
          rules: createAlertRules({
            series: target.series,
            partitions: target.setting(partitions.key, partitions.fallback),
            labels: { namespace: target.namespace },
          }),
        },
      ],
    },
  }
  return [...monitors, rule]
}
