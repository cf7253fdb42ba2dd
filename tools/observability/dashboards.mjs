// What the Grafana dashboards show: the one source that their JSON is made from (grafana.mjs), and that tests ask
// Prometheus about. In expressions `$all` selects this installation's series, `$rate` is the stretch that rates are of.

/**
 * @typedef {object} Query
 * @property {string} expr
 * @property {string} [legend] of each series, as {{label}}; the expression itself where there is none
 */
/**
 * @typedef {object} Panel
 * @property {string} title
 * @property {string} about what it tells, and when it should worry somebody
 * @property {'short' | 'reqps' | 'ops' | 's' | 'percentunit' | 'bytes'} unit as Grafana calls it
 * @property {'timeseries' | 'stat'} [kind] default: timeseries
 * @property {readonly Query[]} queries
 */
/**
 * @typedef {object} Dashboard
 * @property {string} uid
 * @property {string} title
 * @property {string} about
 * @property {readonly { title: string, panels: readonly Panel[] }[]} rows
 */

const http = (job, more = '') => `http_request_duration_seconds_count{$all, job="tms-${job}"${more}}`
const quantile = (share, job, { more = '', by = '' } = {}) =>
  `histogram_quantile(${share}, sum by (le${by}) (rate(http_request_duration_seconds_bucket{$all, job="tms-${job}"${more}}[$rate])))`
const NOT_HELD = ', endpoint!="getEvents"'
/** Counters have no series before they count anything, which is none and not unknown. */
const orNone = (expr) => `${expr} or vector(0)`

const quantiles = (job, more) =>
  [0.5, 0.95, 0.99].map((share) => ({ expr: quantile(share, job, { more }), legend: `p${share * 100}` }))

/** What every process tells of itself. */
const processes = (job) => ({
  title: 'Processes',
  panels: [
    {
      title: 'CPU',
      about:
        'Cores that each replica uses. JavaScript runs on one; what is above it are rendering, hashes and garbage.',
      unit: 'short',
      queries: [
        {
          expr: `rate(process_cpu_seconds_total{$all, job=~"${job}"}[$rate])`,
          legend: '{{job}} {{instance}}',
        },
      ],
    },
    {
      title: 'Event loop delay (p99)',
      about: 'How long what is due waits for its turn; TmsEventLoopBusy tells from 0.25 s on.',
      unit: 's',
      queries: [
        { expr: `nodejs_eventloop_lag_p99_seconds{$all, job=~"${job}"}`, legend: '{{job}} {{instance}}' },
      ],
    },
    {
      title: 'Memory',
      about: 'Resident memory of each replica.',
      unit: 'bytes',
      queries: [
        { expr: `process_resident_memory_bytes{$all, job=~"${job}"}`, legend: '{{job}} {{instance}}' },
      ],
    },
  ],
})

/** @type {readonly Dashboard[]} */
export const dashboards = [
  {
    uid: 'tms-overview',
    title: 'Team Messaging: overview',
    about: 'Whether clients are well, and which part to look at when they are not.',
    rows: [
      {
        title: 'Now',
        panels: [
          {
            title: 'Alerts that fire',
            about: 'Each has a section in docs/runbook.md.',
            unit: 'short',
            kind: 'stat',
            queries: [{ expr: orNone('count(ALERTS{alertname=~"Tms.+", alertstate="firing"})') }],
          },
          {
            title: 'Replicas that answer',
            about: 'By service.',
            unit: 'short',
            kind: 'stat',
            queries: [{ expr: 'sum by (job) (up{$all})', legend: '{{job}}' }],
          },
          {
            title: 'Live queues',
            about: 'Clients that follow what happens, whether they poll at this moment or not.',
            unit: 'short',
            kind: 'stat',
            queries: [{ expr: 'sum(event_queues_live{$all})' }],
          },
        ],
      },
      {
        title: 'Clients',
        panels: [
          {
            title: 'Requests by status',
            about: '499: the client left before it was answered, as clients that poll do when they end.',
            unit: 'reqps',
            queries: [{ expr: `sum by (status) (rate(${http('gateway')}[$rate]))`, legend: '{{status}}' }],
          },
          {
            title: 'Share of server errors',
            about: 'TmsServerErrors tells from 1 % on.',
            unit: 'percentunit',
            queries: [
              {
                expr: `(${orNone(`sum(rate(${http('gateway', ', status=~"5.."')}[$rate]))`)}) / sum(rate(${http('gateway')}[$rate]))`,
                legend: '5xx',
              },
            ],
          },
          {
            title: 'Time to answer',
            about: 'Held polls not counted. TmsSlowRequests tells when p99 is above 1 s.',
            unit: 's',
            queries: quantiles('gateway', NOT_HELD),
          },
        ],
      },
      {
        title: 'Events',
        panels: [
          {
            title: 'Deliveries',
            about: 'Events appended to queues.',
            unit: 'ops',
            queries: [{ expr: 'sum(rate(event_deliveries_total{$all}[$rate]))', legend: 'deliveries' }],
          },
          {
            title: 'Log lag',
            about:
              'Entries that the partition furthest behind has yet to commit; TmsEventLogLag tells from 5,000 on.',
            unit: 'short',
            queries: [{ expr: 'max(event_log_lag_entries{$all})', legend: 'lag' }],
          },
          {
            title: 'Waiting in outboxes',
            about: 'Events that are committed and not told yet: none, unless RabbitMQ is away or overloaded.',
            unit: 'short',
            queries: [{ expr: 'sum by (job) (outbox_waiting_events{$all})', legend: '{{job}}' }],
          },
        ],
      },
      processes('tms-.+'),
    ],
  },
  {
    uid: 'tms-events',
    title: 'Team Messaging: events',
    about: 'The log, the partitions and the queues of clients.',
    rows: [
      {
        title: 'From the log to queues',
        panels: [
          {
            title: 'Entries, commits, deliveries',
            about: 'Each entry is committed once in each partition; one commit has up to 200 of them.',
            unit: 'ops',
            queries: [
              { expr: 'sum(rate(event_log_entries_total{$all}[$rate]))', legend: 'entries' },
              { expr: 'sum(rate(event_commits_total{$all}[$rate]))', legend: 'commits' },
              { expr: 'sum(rate(event_deliveries_total{$all}[$rate]))', legend: 'deliveries' },
            ],
          },
          {
            title: 'Entries in a commit',
            about: 'Grows with load, which is how a replica keeps up; at 200 it can do no more.',
            unit: 'short',
            queries: [
              {
                expr: 'sum by (instance) (rate(event_log_entries_total{$all}[$rate])) / sum by (instance) (rate(event_commits_total{$all}[$rate]) > 0)',
                legend: '{{instance}}',
              },
            ],
          },
          {
            title: 'Log lag',
            about: 'By replica, of its partition furthest behind.',
            unit: 'short',
            queries: [{ expr: 'event_log_lag_entries{$all}', legend: '{{instance}}' }],
          },
        ],
      },
      {
        title: 'Queues',
        panels: [
          {
            title: 'Partitions owned',
            about:
              'By replica. All of them together are EVENTS_PARTITIONS; TmsPartitionsWithoutOwner tells when some are missing.',
            unit: 'short',
            queries: [{ expr: 'event_partitions_owned{$all}', legend: '{{instance}}' }],
          },
          {
            title: 'Live queues',
            about: 'Of the partitions that a replica owns.',
            unit: 'short',
            queries: [{ expr: 'event_queues_live{$all}', legend: '{{instance}}' }],
          },
          {
            title: 'Polls',
            about: 'Held at the moment, and ended by a commit per second.',
            unit: 'short',
            queries: [
              { expr: 'sum(event_polls_held{$all})', legend: 'held' },
              { expr: 'sum(rate(event_wake_ups_total{$all}[$rate]))', legend: 'woken per second' },
            ],
          },
        ],
      },
      {
        title: 'Requests',
        panels: [
          {
            title: 'Requests by endpoint',
            about: 'register is what clients ask that come, or that lost their queue.',
            unit: 'reqps',
            queries: [{ expr: `sum by (endpoint) (rate(${http('events')}[$rate]))`, legend: '{{endpoint}}' }],
          },
          {
            title: 'Refused',
            about:
              'By endpoint and status. getEvents with 400: the queue is gone, or its client acknowledges what it never got.',
            unit: 'reqps',
            queries: [
              {
                expr: orNone(`sum by (endpoint, status) (rate(${http('events', ', status!~"2.."')}[$rate]))`),
                legend: '{{endpoint}} {{status}}',
              },
            ],
          },
          {
            title: 'Time to register',
            about: 'Asks three services for the state, and waits for the queue to be opened.',
            unit: 's',
            queries: quantiles('events', ', endpoint="register"'),
          },
        ],
      },
      processes('tms-events'),
    ],
  },
  {
    uid: 'tms-messaging',
    title: 'Team Messaging: messaging and outboxes',
    about: 'Sending messages, and how what services commit comes to be told.',
    rows: [
      {
        title: 'Messaging',
        panels: [
          {
            title: 'Requests by endpoint',
            about: 'The ten that are asked for most.',
            unit: 'reqps',
            queries: [
              {
                expr: `topk(10, sum by (endpoint) (rate(${http('messaging')}[$rate])))`,
                legend: '{{endpoint}}',
              },
            ],
          },
          {
            title: 'Time to send',
            about:
              'Within messaging: checks, rendering and the transaction, whatever number of people it is for.',
            unit: 's',
            queries: quantiles('messaging', ', endpoint="sendMessage"'),
          },
          {
            title: 'Slowest endpoints (p95)',
            about: 'The ten slowest; searches of large histories mostly.',
            unit: 's',
            queries: [
              {
                expr: `topk(10, ${quantile(0.95, 'messaging', { by: ', endpoint' })})`,
                legend: '{{endpoint}}',
              },
            ],
          },
        ],
      },
      {
        title: 'Outboxes',
        panels: [
          {
            title: 'Events told',
            about: 'Confirmed by the broker, by service.',
            unit: 'ops',
            queries: [
              { expr: 'sum by (job) (rate(outbox_published_total{$all}[$rate]))', legend: '{{job}}' },
            ],
          },
          {
            title: 'Events that wait',
            about: 'Committed and not confirmed yet. TmsOutboxWaiting tells from 1,000 on.',
            unit: 'short',
            queries: [{ expr: 'sum by (job) (outbox_waiting_events{$all})', legend: '{{job}}' }],
          },
          {
            title: 'Replicas that relay',
            about: 'One of each service; TmsOutboxWithoutRelay tells when there is none.',
            unit: 'short',
            queries: [{ expr: 'sum by (job) (outbox_relay_active{$all})', legend: '{{job}}' }],
          },
        ],
      },
      {
        title: 'Beside requests',
        panels: [
          {
            title: 'Scheduled messages behind',
            about: 'How late the latest is; TmsScheduledMessagesLate tells from a minute on.',
            unit: 's',
            queries: [{ expr: 'max(scheduled_messages_lag_seconds{$all})', legend: 'behind' }],
          },
          {
            title: 'Calls of other services',
            about: 'Requests that users and realm answer, by endpoint; the ten most frequent.',
            unit: 'reqps',
            queries: [
              {
                expr: 'topk(10, sum by (job, endpoint) (rate(http_request_duration_seconds_count{$all, job=~"tms-(users|realm)"}[$rate])))',
                legend: '{{job}} {{endpoint}}',
              },
            ],
          },
        ],
      },
      processes('tms-messaging'),
    ],
  },
  {
    uid: 'tms-gateway',
    title: 'Team Messaging: gateway',
    about: 'What comes in, from whom it is recognised, and where it goes.',
    rows: [
      {
        title: 'Requests',
        panels: [
          {
            title: 'By endpoint',
            about: 'The ten that are asked for most.',
            unit: 'reqps',
            queries: [
              {
                expr: `topk(10, sum by (endpoint) (rate(${http('gateway')}[$rate])))`,
                legend: '{{endpoint}}',
              },
            ],
          },
          {
            title: 'Refused, by status',
            about:
              '401: wrong credentials; 429: more calls than RATE_LIMIT_PER_MINUTE; 5xx: TmsServerErrors.',
            unit: 'reqps',
            queries: [
              {
                expr: orNone(`sum by (status) (rate(${http('gateway', ', status!~"2.."')}[$rate]))`),
                legend: '{{status}}',
              },
            ],
          },
          {
            title: 'Slowest endpoints (p95)',
            about: 'The ten slowest, held polls not counted.',
            unit: 's',
            queries: [
              {
                expr: `topk(10, ${quantile(0.95, 'gateway', { more: NOT_HELD, by: ', endpoint' })})`,
                legend: '{{endpoint}}',
              },
            ],
          },
        ],
      },
      {
        title: 'Where they go',
        panels: [
          {
            title: 'Failed attempts',
            about:
              'At replicas, by service and reason; TmsUpstreamFailures tells from one in two seconds on.',
            unit: 'ops',
            queries: [
              {
                expr: orNone(
                  'sum by (upstream, reason) (rate(gateway_upstream_failures_total{$all}[$rate]))',
                ),
                legend: '{{upstream}} {{reason}}',
              },
            ],
          },
          {
            title: 'Identities',
            about:
              'How credentials were recognised; stale: from memory, because users is away (TmsIdentitiesFromMemory).',
            unit: 'ops',
            queries: [
              {
                expr: 'sum by (result) (rate(gateway_identity_lookups_total{$all}[$rate]))',
                legend: '{{result}}',
              },
            ],
          },
          {
            title: 'Held polls',
            about: 'By replica: each is two connections and 15 KB.',
            unit: 'short',
            queries: [{ expr: 'gateway_held_polls{$all}', legend: '{{instance}}' }],
          },
        ],
      },
      processes('tms-gateway'),
    ],
  },
]

/** All queries of all panels, for what looks whether they are right. */
export function allQueries() {
  return dashboards.flatMap(({ title: dashboard, rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap(({ title, queries }) => queries.map(({ expr }) => ({ dashboard, panel: title, expr }))),
    ),
  )
}

/** An expression as Prometheus takes it. `all` are selectors, `rate` a duration. */
export function expressionFor(expr, { all, rate }) {
  return expr.replaceAll('$all', all).replaceAll('$rate', rate)
}
