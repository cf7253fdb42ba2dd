import { NOT_CLIENT_PACED } from '../../kubernetes/client-paced.mjs'
import { http, orNone, processes, quantiles } from '../panels.mjs'

/** @type {import('../panels.mjs').Dashboard} */
export const overview = {
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
          title: 'Missing dependencies',
          about:
            'Replicas that do not reach a server or service, by which it is. TmsDependencyMissing tells after a minute.',
          unit: 'short',
          kind: 'stat',
          queries: [
            { expr: orNone('sum by (dependency) (dependency_missing{$all}) > 0'), legend: '{{dependency}}' },
          ],
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
          about: 'Held polls and files not counted. TmsSlowRequests tells when p99 is above 1 s.',
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
}
