// When somebody has to look. Each alert has a section of its name in docs/runbook.md.
import { NOT_CLIENT_PACED } from './client-paced.mjs'
import { components } from './components.mjs'

/**
 * @typedef {object} Alert
 * @property {string} name
 * @property {'critical' | 'warning'} severity critical: clients notice, now
 * @property {string} for how long it has to be so
 * @property {string} summary
 * @property {boolean} [ofEachService] a rule for each, with its job as a label, since what is absent has no labels
 * @property {(facts: { series: string, partitions: string, service: string }) => string} expr `series` selects those of the
 *   installation, and stands in it once, as the first text in quotes: overlays of kustomize put their namespace there
 */

/** @type {readonly Alert[]} */
const alerts = [
  {
    name: 'ServiceDown',
    severity: 'critical',
    for: '2m',
    summary: 'No replica of a service answers Prometheus.',
    ofEachService: true,
    expr: ({ series, service }) => `absent(up{${series}, job="tms-${service}"} == 1)`,
  },
  {
    name: 'DependencyMissing',
    severity: 'critical',
    for: '1m',
    summary: 'A replica does not reach a server or service that it depends on.',
    expr: ({ series }) => `max by (job, pod, instance, dependency) (dependency_missing{${series}}) == 1`,
  },
  {
    name: 'ServerErrors',
    severity: 'critical',
    for: '5m',
    summary: 'More than 1 % of requests are answered with an error of the server.',
    expr: ({ series }) =>
      `sum by (namespace) (rate(http_request_duration_seconds_count{${series}, job="tms-gateway", status=~"5.."}[5m])) / sum by (namespace) (rate(http_request_duration_seconds_count{job="tms-gateway"}[5m])) > 0.01`,
  },
  {
    name: 'SlowRequests',
    severity: 'warning',
    for: '10m',
    summary: 'One request in a hundred takes longer than a second, held polls and files not counted.',
    expr: ({ series }) =>
      `histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{${series}, job="tms-gateway"${NOT_CLIENT_PACED}}[5m]))) > 1`,
  },
  {
    name: 'UpstreamFailures',
    severity: 'warning',
    for: '5m',
    summary: 'The gateway fails to reach a service.',
    expr: ({ series }) => `sum by (upstream) (rate(gateway_upstream_failures_total{${series}}[5m])) > 0.5`,
  },
  {
    name: 'IdentitiesFromMemory',
    severity: 'critical',
    for: '2m',
    summary: 'The gateway recognises people from memory alone, because users does not answer.',
    expr: ({ series }) => `sum(rate(gateway_identity_lookups_total{${series}, result="stale"}[2m])) > 0`,
  },
  {
    name: 'EventLogLag',
    severity: 'critical',
    for: '2m',
    summary: 'Event queues are behind the log; clients hear of changes late.',
    expr: ({ series }) => `max(event_log_lag_entries{${series}}) > 5000`,
  },
  {
    name: 'EventLogUnreadable',
    severity: 'critical',
    for: '1m',
    summary:
      'RabbitMQ does not hand out the log to a replica of events; clients of its partitions hear nothing.',
    expr: ({ series }) => `min(event_log_readable{${series}}) == 0`,
  },
  {
    name: 'PartitionsWithoutOwner',
    severity: 'critical',
    for: '1m',
    summary: 'Some partitions belong to no replica of events; their clients hear nothing.',
    expr: ({ series, partitions }) => `sum(event_partitions_owned{${series}}) < ${partitions}`,
  },
  {
    name: 'OutboxWithoutRelay',
    severity: 'critical',
    for: '2m',
    summary: 'No replica of a service passes its events on.',
    expr: ({ series }) => `sum by (job) (outbox_relay_active{${series}}) == 0`,
  },
  {
    name: 'OutboxRelayStalled',
    severity: 'critical',
    for: '1m',
    summary: 'The relays of a service have been at the same thing for half a minute; its events wait.',
    expr: ({ series }) => `min by (job) (outbox_relay_stalled_seconds{${series}}) > 30`,
  },
  {
    name: 'OutboxWaiting',
    severity: 'critical',
    for: '2m',
    summary: 'Events of a service wait to be told; clients hear of changes late.',
    expr: ({ series }) => `sum by (job) (outbox_waiting_events{${series}}) > 1000`,
  },
  {
    name: 'OutboxBehind',
    severity: 'critical',
    for: '2m',
    summary:
      'The oldest event of a service has waited for a minute to be told: RabbitMQ is away or refuses it.',
    expr: ({ series }) => `max by (job) (outbox_lag_seconds{${series}}) > 60`,
  },
  {
    name: 'FactsStalled',
    severity: 'critical',
    for: '2m',
    summary:
      'No replica of a service takes in what others tell; newcomers and changes of roles have no effect there.',
    expr: ({ series }) => `min by (job) (projections_stalled_seconds{${series}}) > 60`,
  },
  {
    name: 'CacheLeaseLost',
    severity: 'warning',
    for: '1m',
    summary:
      'A replica does not keep its cache lease: each of its requests waits until users and realm were asked what changed.',
    expr: ({ series }) => `min by (job, pod, instance) (cache_lease_valid{${series}}) == 0`,
  },
  {
    name: 'ScheduledMessagesLate',
    severity: 'warning',
    for: '5m',
    summary: 'Scheduled messages are sent more than a minute late.',
    expr: ({ series }) => `max(scheduled_messages_lag_seconds{${series}}) > 60`,
  },
  {
    name: 'JobsLate',
    severity: 'warning',
    for: '5m',
    summary: 'Mails, or other jobs of users, are more than ten minutes late.',
    expr: ({ series }) => `max(jobs_lag_seconds{${series}}) > 600`,
  },
  {
    name: 'JobsGivenUp',
    severity: 'warning',
    for: '1m',
    summary: 'Mails, or other jobs of users, failed at all their attempts and are not tried again.',
    expr: ({ series }) => `max(jobs_given_up{${series}}) > 0`,
  },
  {
    name: 'CertificateExpires',
    severity: 'warning',
    for: '10m',
    summary:
      'The certificate that a replica has read ends within a week; a renewed one is read at a start alone.',
    expr: ({ series }) =>
      `min by (job, pod, instance) (tls_certificate_expires_seconds{${series}}) - time() < 604800`,
  },
  {
    name: 'EventLoopBusy',
    severity: 'warning',
    for: '10m',
    summary: 'A replica has more to do than one core can.',
    expr: ({ series }) => `max by (job, pod, instance) (nodejs_eventloop_lag_p99_seconds{${series}}) > 0.25`,
  },
]

/**
 * The alerts as rules of Prometheus. `labels` are those that all of them have: without the namespace, those of two
 * installations would be one alert to whoever is told.
 */
export function alertRules({ series, partitions, labels }) {
  return alerts.flatMap(({ name, ofEachService, expr, summary, ...alert }) => {
    const ruleOf = (service) => ({
      alert: `Tms${name}`,
      expr: expr({ series, partitions, service }),
      for: alert.for,
      labels: { severity: alert.severity, ...(ofEachService ? { job: `tms-${service}` } : {}), ...labels },
      annotations: { summary, runbook: `docs/runbook.md#${`Tms${name}`.toLowerCase()}` },
    })
    return ofEachService ? Object.keys(components).map(ruleOf) : [ruleOf()]
  })
}
