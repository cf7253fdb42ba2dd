import { http, processes, quantile, quantiles } from '../panels.mjs'

/** @type {import('../panels.mjs').Dashboard} */
export const messaging = {
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
          queries: [{ expr: 'sum by (job) (rate(outbox_published_total{$all}[$rate]))', legend: '{{job}}' }],
        },
        {
          title: 'Events that wait',
          about: 'Committed and not confirmed yet. TmsOutboxWaiting tells from 1,000 on.',
          unit: 'short',
          queries: [{ expr: 'sum by (job) (outbox_waiting_events{$all})', legend: '{{job}}' }],
        },
        {
          title: 'Outbox behind',
          about: 'How long the oldest event waits; TmsOutboxBehind tells from a minute on.',
          unit: 's',
          queries: [{ expr: 'max by (job) (outbox_lag_seconds{$all})', legend: '{{job}}' }],
        },
        {
          title: 'Relay stalled',
          about:
            'For how long the relay that is best off has been at the same thing; TmsOutboxRelayStalled tells from half a minute on.',
          unit: 's',
          queries: [{ expr: 'min by (job) (outbox_relay_stalled_seconds{$all})', legend: '{{job}}' }],
        },
        {
          title: 'Facts of other services stalled',
          about:
            'For how long the replica that is best off has not gone on taking them in; TmsFactsStalled tells from a minute on.',
          unit: 's',
          queries: [{ expr: 'min by (job) (projections_stalled_seconds{$all})', legend: '{{job}}' }],
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
          title: 'Outgoing webhooks',
          about: 'Calls by outcome. `given_up` are those whose bots’ owners were told why.',
          unit: 'ops',
          queries: [
            { expr: 'sum by (outcome) (rate(webhook_calls_total{$all}[$rate]))', legend: '{{outcome}}' },
          ],
        },
        {
          title: 'Webhook calls that wait',
          about: 'Waiting, being made, or to be tried again: a few, unless somebody’s server is away.',
          unit: 'short',
          queries: [{ expr: 'max(webhook_calls_waiting{$all})', legend: 'waiting' }],
        },
        {
          title: 'Jobs that wait',
          about:
            'Mails and what else users does later, whose time has come. Many with a server of mails that is away.',
          unit: 'short',
          queries: [
            { expr: 'max(jobs_waiting{$all})', legend: 'waiting' },
            { expr: 'max(jobs_given_up{$all})', legend: 'given up' },
          ],
        },
        {
          title: 'Jobs behind',
          about:
            'How late the oldest is; TmsJobsLate tells from ten minutes on, TmsJobsGivenUp of those that are tried no more.',
          unit: 's',
          queries: [{ expr: 'max(jobs_lag_seconds{$all})', legend: 'behind' }],
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
}
