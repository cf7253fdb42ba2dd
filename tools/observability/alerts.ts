// Alerts. Each has a section of its name in docs/runbook.md.

import { components } from '../kubernetes/components.ts'
import { NOT_CLIENT_PACED } from './client-paced.ts'

interface Parameters {
  /** Selects the series of the installation. It is the first quoted text of the expression: kustomize's overlays put theirs there. */
  series: string
  partitions: string
}

interface Alert {
  name: string
  /** Critical: clients are affected now. */
  severity: 'critical' | 'warning'
  /** How long the condition has to hold. */
  for: string
  summary: string
  /** A rule per service, with its job as a label, since an absent series has no labels. */
  ofEachService?: boolean
  expr: (parameters: Parameters & { service: string }) => string
}

interface Rule {
  alert: string
  expr: string
  for: string
  labels: Record<string, string>
  annotations: { summary: string; runbook: string }
}

const alerts: readonly Alert[] = [
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
    summary: 'A replica cannot reach a server or service that it depends on.',
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
    summary: 'One request in a hundred takes longer than a second, long polls and files excluded.',
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
    summary: 'The gateway authenticates from its cache alone, because users does not answer.',
    expr: ({ series }) => `sum(rate(gateway_identity_lookups_total{${series}, result="stale"}[2m])) > 0`,
  },
  {
    name: 'DeliveriesLate',
    severity: 'warning',
    for: '5m',
    summary: 'One event in a hundred reaches a waiting client later than five seconds after its commit.',
    expr: ({ series }) =>
      `histogram_quantile(0.99, sum by (le) (rate(event_delivery_seconds_bucket{${series}}[5m]))) > 5`,
  },
  {
    name: 'EventLogLag',
    severity: 'critical',
    for: '2m',
    summary: 'Event queues are behind the log; clients receive events late.',
    expr: ({ series }) => `max(event_log_lag_entries{${series}}) > 5000`,
  },
  {
    name: 'EventLogUnreadable',
    severity: 'critical',
    for: '1m',
    summary:
      'RabbitMQ does not deliver the log to a replica of events; clients of its partitions receive nothing.',
    expr: ({ series }) => `min(event_log_readable{${series}}) == 0`,
  },
  {
    name: 'PartitionsWithoutOwner',
    severity: 'critical',
    for: '1m',
    summary: 'Some partitions have no owner; their clients receive nothing.',
    expr: ({ series, partitions }) => `sum(event_partitions_owned{${series}}) < ${partitions}`,
  },
  {
    name: 'OutboxWithoutRelay',
    severity: 'critical',
    for: '2m',
    summary: 'No replica of a service publishes its events.',
    expr: ({ series }) => `sum by (job) (outbox_relay_active{${series}}) == 0`,
  },
  {
    name: 'MessagesRefused',
    severity: 'critical',
    for: '2m',
    summary: 'Messages are refused, because they cannot be stored in time.',
    expr: ({ series }) => `sum(rate(messages_refused_total{${series}}[2m])) > 0.1`,
  },
  {
    name: 'OutboxRelayStalled',
    severity: 'critical',
    for: '1m',
    summary: 'The relays of a service have made no progress for half a minute; its events wait.',
    expr: ({ series }) => `min by (job) (outbox_relay_stalled_seconds{${series}}) > 30`,
  },
  {
    name: 'OutboxWaiting',
    severity: 'critical',
    for: '2m',
    summary: 'Many events of a service wait to be published; clients receive them late.',
    expr: ({ series }) => `sum by (job) (outbox_waiting_events{${series}}) > 1000`,
  },
  {
    name: 'OutboxBehind',
    severity: 'critical',
    for: '2m',
    summary:
      'The oldest event of a service has waited for a minute to be published: RabbitMQ is unavailable or rejects it.',
    expr: ({ series }) => `max by (job) (outbox_lag_seconds{${series}}) > 60`,
  },
  {
    name: 'ProjectionsStalled',
    severity: 'critical',
    for: '2m',
    summary:
      'No replica of a service updates its projections; new users and changes of roles have no effect there.',
    expr: ({ series }) => `min by (job) (stream_stalled_seconds{${series}, stream="projections"}) > 60`,
  },
  {
    name: 'AuditLogStalled',
    severity: 'warning',
    for: '5m',
    summary: 'No replica of realm stores entries of audit logs; administrators miss the newest ones.',
    expr: ({ series }) => `min(stream_stalled_seconds{${series}, stream="audit"}) > 60`,
  },
  {
    name: 'AuditEntriesNotPublished',
    severity: 'warning',
    for: '5m',
    summary:
      'A service cannot publish entries of audit logs for more than a minute; administrators miss the newest ones.',
    expr: ({ series }) => `max by (job) (outbox_audit_lag_seconds{${series}}) > 60`,
  },
  {
    name: 'CacheLeaseLost',
    severity: 'warning',
    for: '1m',
    summary:
      'A replica cannot renew its cache lease: each of its requests waits for users and realm to report changes.',
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
    name: 'MissedMessagesLate',
    severity: 'warning',
    for: '5m',
    summary: 'Mails about missed messages are more than ten minutes late.',
    expr: ({ series }) => `max(missed_message_lag_seconds{${series}}) > 600`,
  },
  {
    name: 'DigestsLate',
    severity: 'warning',
    for: '5m',
    summary: 'Digests are more than six hours late.',
    expr: ({ series }) => `max(digest_lag_seconds{${series}}) > 21600`,
  },
  {
    name: 'PushesLate',
    severity: 'warning',
    for: '5m',
    summary: 'Notifications wait for more than ten minutes to be sent to devices.',
    expr: ({ series }) => `max by (push_service) (push_delivery_lag_seconds{${series}}) > 600`,
  },
  {
    name: 'PushNoticesLate',
    severity: 'warning',
    for: '5m',
    summary: 'Notifications for devices wait for more than ten minutes to be handed over to users.',
    expr: ({ series }) => `max(push_notice_lag_seconds{${series}}) > 600`,
  },
  {
    name: 'PushesRefused',
    severity: 'warning',
    for: '5m',
    summary: 'A push service refuses notifications: mostly the credentials are wrong.',
    // By shares: in a small installation few are all.
    expr: ({ series }) =>
      `sum by (namespace, push_service) (increase(pushes_total{${series},outcome="refused"}[1h])) > clamp_min(sum by (namespace, push_service) (increase(pushes_total{outcome="sent"}[1h])) / 20, 3)`,
  },
  {
    name: 'JobsGivenUp',
    severity: 'warning',
    for: '1m',
    summary: 'Mails, or other jobs of users, failed at every attempt and are not retried.',
    expr: ({ series }) => `max(jobs_given_up{${series}}) > 0`,
  },
  {
    name: 'OrganizationDeletionLate',
    severity: 'warning',
    for: '5m',
    summary: 'The deletion of an organization has been due for six hours.',
    expr: ({ series }) => `max(organization_deletion_lag_seconds{${series}}) > 21600`,
  },
  {
    name: 'CertificateExpires',
    severity: 'warning',
    for: '10m',
    summary:
      'The certificate of a replica expires within a week; replicas read a renewed one only at their start.',
    expr: ({ series }) =>
      `min by (job, pod, instance) (tls_certificate_expires_seconds{${series}}) - time() < 604800`,
  },
  {
    name: 'EventLoopBusy',
    severity: 'warning',
    for: '10m',
    summary: 'A replica has more work than one core can do.',
    expr: ({ series }) => `max by (job, pod, instance) (nodejs_eventloop_lag_p99_seconds{${series}}) > 0.25`,
  },
]

/**
 * The alerts as rules of Prometheus. `labels` are added to all: without the namespace, Alertmanager would merge the alerts of
 * two installations.
 */
export function createAlertRules(parameters: Parameters, labels: Record<string, string> = {}): Rule[] {
  return alerts.flatMap(({ name, ofEachService, expr, summary, ...alert }) => {
    const ruleOf = (service: string) => ({
      alert: `Tms${name}`,
      expr: expr({ ...parameters, service }),
      for: alert.for,
      labels: { severity: alert.severity, ...(ofEachService ? { job: `tms-${service}` } : {}), ...labels },
      annotations: { summary, runbook: `docs/runbook.md#${`Tms${name}`.toLowerCase()}` },
    })
    return ofEachService ? components.map(ruleOf) : [ruleOf('')]
  })
}
