import { type Dashboard, http, orNone, processes, quantiles, quantilesOf } from '../panels.ts'

export const events: Dashboard = {
  uid: 'tms-events',
  title: 'Team Messaging: events',
  about: 'The event log, the partitions and the clients’ event queues.',
  rows: [
    {
      title: 'From the commit to the client',
      panels: [
        {
          title: 'Time to deliver',
          about:
            'From the insertion of an event into its producer’s outbox until it was sent to a client whose poll was pending. TmsDeliveriesLate fires if p99 is above 5 s; beyond 60 s it shows 60 s.',
          unit: 's',
          queries: quantilesOf('event_delivery_seconds_bucket{$all}'),
        },
        {
          title: 'Of that, before the log',
          about:
            'The age of the oldest event that is not published yet, by service. The rest of the time to deliver is reading the log and committing to queues.',
          unit: 's',
          queries: [{ expr: 'max by (job) (outbox_lag_seconds{$all})', legend: '{{job}}' }],
        },
      ],
    },
    {
      title: 'From the log to queues',
      panels: [
        {
          title: 'Entries, commits, deliveries',
          about: 'Each entry is committed once in each partition; a commit has up to 200 entries.',
          unit: 'ops',
          queries: [
            { expr: 'sum(rate(event_log_entries_total{$all}[$rate]))', legend: 'entries' },
            { expr: 'sum(rate(event_commits_total{$all}[$rate]))', legend: 'commits' },
            { expr: 'sum(rate(event_deliveries_total{$all}[$rate]))', legend: 'deliveries' },
          ],
        },
        {
          title: 'Entries in a commit',
          about: 'Grows with load, which lets a replica keep up; at 200 it is at its limit.',
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
          about: 'The lag of each replica’s slowest partition.',
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
            'By replica. The sum is EVENTS_PARTITIONS; TmsPartitionsWithoutOwner fires if partitions have no owner.',
          unit: 'short',
          queries: [{ expr: 'event_partitions_owned{$all}', legend: '{{instance}}' }],
        },
        {
          title: 'Live queues',
          about: 'Queues in the partitions that each replica owns.',
          unit: 'short',
          queries: [{ expr: 'event_queues_live{$all}', legend: '{{instance}}' }],
        },
        {
          title: 'Polls',
          about: 'Pending long polls, and polls per second that a commit ended.',
          unit: 'short',
          queries: [
            { expr: 'sum(event_pending_polls{$all})', legend: 'pending' },
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
          about: 'Clients call register at their start, and after losing their queue.',
          unit: 'reqps',
          queries: [{ expr: `sum by (endpoint) (rate(${http('events')}[$rate]))`, legend: '{{endpoint}}' }],
        },
        {
          title: 'Refused',
          about:
            'By endpoint and status. getEvents with 400: the queue doesn’t exist, or the client acknowledges an event that it never got.',
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
          about: 'Reads the state from three services, and waits until the queue is open.',
          unit: 's',
          queries: quantiles('events', ', endpoint="register"'),
        },
      ],
    },
    processes('tms-events'),
  ],
}
