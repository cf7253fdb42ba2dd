import { http, orNone, processes, quantiles } from '../panels.mjs'

/** @type {import('../panels.mjs').Dashboard} */
export const events = {
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
}
