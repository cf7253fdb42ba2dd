// What Prometheus is told where no operator tells it: whom to ask, and when to tell somebody.
import { alertRules as rulesOf } from '../kubernetes/alerts.mjs'
import { components, PORT } from '../kubernetes/components.mjs'

const INTERVAL = '15s'
/** As deploy/compose.yaml leaves it. */
const PARTITIONS = '16'
/** Selects what the services tell, as dashboards do. */
export const SERIES = 'job=~"tms-.+"'

/** Prometheus' configuration; `targetsOf` says how the replicas of a service are found. */
export function prometheusConfig({ rulesFile, interval = INTERVAL, targetsOf = byName }) {
  return {
    global: { scrape_interval: interval, evaluation_interval: interval },
    rule_files: [rulesFile],
    scrape_configs: Object.keys(components).map((service) => ({
      job_name: `tms-${service}`,
      ...targetsOf(service),
    })),
  }
}

/** Docker's name server gives the addresses of all replicas behind a name. */
const byName = (service) => ({
  dns_sd_configs: [{ names: [service], type: 'A', port: PORT, refresh_interval: INTERVAL }],
})

/** The alerts, as a file of rules. */
export function alertRules() {
  const rules = rulesOf({ series: SERIES, partitions: PARTITIONS })
  return { groups: [{ name: 'team-messaging-service', rules }] }
}
