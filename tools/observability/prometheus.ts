// The configuration of Prometheus for installations without the Prometheus operator: targets and alert rules.

import { components, PORT } from '../kubernetes/components.ts'
import { createAlertRules } from './alerts.ts'

const INTERVAL = '15s'
/** The default, which deploy/compose.yaml uses. */
const PARTITIONS = '16'
/** Selects the services' series, as dashboards do. */
export const SERIES = 'job=~"tms-.+"'

interface Options {
  rulesFile: string
  interval?: string
  /** How the replicas of a service are discovered. */
  targetsOf?: (service: string) => object
}

/** Prometheus' configuration. */
export function prometheusConfig({
  rulesFile,
  interval = INTERVAL,
  targetsOf = discoverByDns,
}: Options): object {
  return {
    global: { scrape_interval: interval, evaluation_interval: interval },
    rule_files: [rulesFile],
    scrape_configs: components.map((service) => ({
      job_name: `tms-${service}`,
      ...targetsOf(service),
    })),
  }
}

/** Docker's DNS returns the addresses of all replicas of a service. */
const discoverByDns = (service: string) => ({
  dns_sd_configs: [{ names: [service], type: 'A', port: PORT, refresh_interval: INTERVAL }],
})

/** The file of alert rules. */
export function alertRules(): object {
  const rules = createAlertRules({ series: SERIES, partitions: PARTITIONS })
  return { groups: [{ name: 'team-messaging-service', rules }] }
}
