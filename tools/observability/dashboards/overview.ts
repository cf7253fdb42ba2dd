import { NOT_CLIENT_PACED } from '../client-paced.ts'
import { type Dashboard, http, orNone, processes, quantiles } from '../panels.ts'

export const overview: Dashboard = {
  uid: 'tms-overview',
  title: 'Team Messaging: overview',
  about: 'Whether clients are served well, and which part to look at if not.',
  rows: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Firing alerts',
          about: 'Each has a section in docs/runbook.md.',
          unit: 'short',
          kind: 'stat',
          queries: [{ expr: orNone('count(ALERTS{alertname=~"Tms.+", alertstate="firing"})') }],
        },
        {
          title: 'Responding replicas',
          about: 'By service.',
          unit: 'short',
          kind: 'stat',
          queries: [{ expr: 'sum by (job) (up{$all})', legend: '{{job}}' }],
        },
        {
          title: 'Missing dependencies',
          about:
            'Replicas that cannot reach a server or service, by dependency. TmsDependencyMissing fires after a minute.',
          unit: 'short',
          kind: 'stat',
          queries: [
            { expr: orNone('sum by (dependency) (dependency_missing{$all}) > 0'), legend: '{{dependency}}' },
          ],
        },
        {
          title: 'Live queues',
          about: 'Event queues of clients, whether a poll is pending or not.',
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
          about: '499: the client disconnected before the answer, as polling clients do when they end.',
          unit: 'reqps',
          queries: [{ expr: `sum by (status) (rate(${http('gateway')}[$rate]))`, legend: '{{status}}' }],
        },
        {
          title: 'Share of server errors',
          about: 'TmsServerErrors fires above 1 %.',
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
          about: 'Long polls and files excluded. TmsSlowRequests fires if p99 is above 1 s.',
          unit: 's',
          queries: quantiles('gateway', NOT_CLIENT_PACED),
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
          about: 'Entries that the slowest partition has yet to commit; TmsEventLogLag fires above 5,000.',
          unit: 'short',
          queries: [{ expr: 'max(event_log_lag_entries{$all})', legend: 'lag' }],
        },
        {
          title: 'Waiting in outboxes',
          about:
            'Committed events that are not yet published: none, unless RabbitMQ is unavailable or overloaded.',
          unit: 'short',
          queries: [{ expr: 'sum by (job) (outbox_waiting_events{$all})', legend: '{{job}}' }],
        },
      ],
    },
    processes('tms-.+'),
  ],
}
