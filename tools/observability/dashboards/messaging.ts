import { type Dashboard, http, processes, quantile, quantiles, quantilesOf } from '../panels.ts'

export const messaging: Dashboard = {
  uid: 'tms-messaging',
  title: 'Team Messaging: messaging and outboxes',
  about: 'Sending messages, and publishing committed events.',
  rows: [
    {
      title: 'Messaging',
      panels: [
        {
          title: 'Requests by endpoint',
          about: 'The ten most frequent endpoints.',
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
            'Within messaging: checks, rendering and the transaction. Doesn’t depend on the number of recipients.',
          unit: 's',
          queries: quantiles('messaging', ', endpoint="sendMessage"'),
        },
        {
          title: 'Slowest endpoints (p95)',
          about: 'The ten slowest, mostly searches of large histories.',
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
      title: 'Storing messages',
      panels: [
        {
          title: 'Time until stored',
          about:
            'From the end of a message’s checks, with the waits for its turn and for locks. Far above a commit: locked channels, or a slow PostgreSQL.',
          unit: 's',
          queries: quantilesOf('message_store_seconds_bucket{$all}'),
        },
        {
          title: 'Messages of a statement',
          about: 'On average. Grows with the load, since what arrives together is stored together.',
          unit: 'short',
          queries: [
            {
              expr: 'sum(rate(message_group_size_sum{$all}[$rate])) / sum(rate(message_group_size_count{$all}[$rate]))',
              legend: 'messages',
            },
          ],
        },
        {
          title: 'Not stored together',
          about:
            'Groups that PostgreSQL rolled back, after which each message is stored alone, and messages that were refused (TmsMessagesRefused).',
          unit: 'ops',
          queries: [
            { expr: 'sum(rate(message_groups_undone_total{$all}[$rate]))', legend: 'groups undone' },
            { expr: 'sum(rate(messages_refused_total{$all}[$rate]))', legend: 'messages refused' },
          ],
        },
      ],
    },
    {
      title: 'Outboxes',
      panels: [
        {
          title: 'Published events',
          about: 'Confirmed by the broker, by service.',
          unit: 'ops',
          queries: [{ expr: 'sum by (job) (rate(outbox_published_total{$all}[$rate]))', legend: '{{job}}' }],
        },
        {
          title: 'Events that wait',
          about: 'Committed and not yet confirmed by the broker. TmsOutboxWaiting fires above 1,000.',
          unit: 'short',
          queries: [{ expr: 'sum by (job) (outbox_waiting_events{$all})', legend: '{{job}}' }],
        },
        {
          title: 'Outbox behind',
          about: 'Age of the oldest unpublished event; TmsOutboxBehind fires above a minute.',
          unit: 's',
          queries: [{ expr: 'max by (job) (outbox_lag_seconds{$all})', legend: '{{job}}' }],
        },
        {
          title: 'Relay stalled',
          about:
            'Time without progress of the most advanced relay; TmsOutboxRelayStalled fires above half a minute.',
          unit: 's',
          queries: [{ expr: 'min by (job) (outbox_relay_stalled_seconds{$all})', legend: '{{job}}' }],
        },
        {
          title: 'Projections stalled',
          about:
            'Time without progress of the most advanced replica; TmsProjectionsStalled fires above a minute.',
          unit: 's',
          queries: [
            { expr: 'min by (job) (stream_stalled_seconds{$all,stream="projections"})', legend: '{{job}}' },
          ],
        },
        {
          title: 'Audit log stalled',
          about:
            'Time without progress of the most advanced replica of realm; TmsAuditLogStalled fires above a minute.',
          unit: 's',
          queries: [
            { expr: 'min by (job) (stream_stalled_seconds{$all,stream="audit"})', legend: '{{job}}' },
          ],
        },
        {
          title: 'Replicas that relay',
          about: 'One of each service; TmsOutboxWithoutRelay fires if there is none.',
          unit: 'short',
          queries: [{ expr: 'sum by (job) (outbox_relay_active{$all})', legend: '{{job}}' }],
        },
      ],
    },
    {
      title: 'Background work',
      panels: [
        {
          title: 'Scheduled messages behind',
          about: 'Delay of the most overdue message; TmsScheduledMessagesLate fires above a minute.',
          unit: 's',
          queries: [{ expr: 'max(scheduled_messages_lag_seconds{$all})', legend: 'behind' }],
        },
        {
          title: 'Outgoing webhooks',
          about: 'Calls by outcome. After `given_up` the bot’s owner gets a message with the reason.',
          unit: 'ops',
          queries: [
            { expr: 'sum by (outcome) (rate(webhook_calls_total{$all}[$rate]))', legend: '{{outcome}}' },
          ],
        },
        {
          title: 'Webhook calls that wait',
          about:
            'Calls that wait, are being made, or will be retried: few, unless a webhook’s server is unavailable.',
          unit: 'short',
          queries: [{ expr: 'max(webhook_calls_waiting{$all})', legend: 'waiting' }],
        },
        {
          title: 'Webhook deliveries that wait',
          about:
            'Deliveries to incoming webhooks that came faster than their bots may post. They become fewer by RATE_LIMIT_PER_MINUTE of each bot.',
          unit: 'short',
          queries: [{ expr: 'max(webhook_deliveries_waiting{$all})', legend: 'waiting' }],
        },
        {
          title: 'Jobs that wait',
          about: 'Due mails and other jobs of users. Many if the mail server is unavailable.',
          unit: 'short',
          queries: [
            { expr: 'max(jobs_waiting{$all})', legend: 'waiting' },
            { expr: 'max(jobs_given_up{$all})', legend: 'given up' },
          ],
        },
        {
          title: 'Jobs behind',
          about:
            'Delay of the oldest job; TmsJobsLate fires above ten minutes, TmsJobsGivenUp for jobs that are no longer retried.',
          unit: 's',
          queries: [{ expr: 'max(jobs_lag_seconds{$all})', legend: 'behind' }],
        },
        {
          title: 'Missed messages',
          about: 'Messages of which users who are away are to be mailed, by reason.',
          unit: 'ops',
          queries: [
            { expr: 'sum by (trigger) (rate(missed_messages_total{$all}[$rate]))', legend: '{{trigger}}' },
          ],
        },
        {
          title: 'Missed messages behind',
          about: 'Delay of the oldest batch that is due; TmsMissedMessagesLate fires above ten minutes.',
          unit: 's',
          queries: [{ expr: 'max(missed_message_lag_seconds{$all})', legend: 'behind' }],
        },
        {
          title: 'Missed messages that wait',
          about: 'Batches that are due, and message IDs that are not decided: both few.',
          unit: 'short',
          queries: [
            { expr: 'max(missed_message_batches_overdue{$all})', legend: 'batches' },
            { expr: 'max(missed_message_undecided_ids{$all})', legend: 'undecided messages' },
          ],
        },
        {
          title: 'Batches of missed messages',
          about:
            'By outcome. `retried` means that users did not answer; `given_up` that it did not for a day.',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (outcome) (rate(missed_message_batches_total{$all}[$rate]))',
              legend: '{{outcome}}',
            },
          ],
        },
        {
          title: 'Notifications decided',
          about: 'Messages of which users are to be notified on devices, by reason.',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (trigger) (rate(push_notices_decided_total{$all}[$rate]))',
              legend: '{{trigger}}',
            },
          ],
        },
        {
          title: 'Notifications handed over',
          about:
            'By outcome. `retried` means that users did not answer; `given_up` that it did not for a day.',
          unit: 'ops',
          queries: [
            { expr: 'sum by (outcome) (rate(push_notices_total{$all}[$rate]))', legend: '{{outcome}}' },
          ],
        },
        {
          title: 'Notifications sent',
          about:
            'Attempts by push service and outcome. A retried one is made again; TmsPushesRefused is about the refused.',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (push_service, outcome) (rate(pushes_total{$all}[$rate]))',
              legend: '{{push_service}} {{outcome}}',
            },
          ],
        },
        {
          title: 'Notifications behind',
          about:
            'Age of the oldest that waits, by step and push service; TmsPushesLate and TmsPushNoticesLate fire above ten minutes.',
          unit: 's',
          queries: [
            { expr: 'max(push_notice_lag_seconds{$all})', legend: 'to be handed over' },
            { expr: 'max by (push_service) (push_delivery_lag_seconds{$all})', legend: '{{push_service}}' },
          ],
        },
        {
          title: 'Notifications that wait',
          about: 'By push service: few, unless it is down.',
          unit: 'short',
          queries: [
            { expr: 'max by (push_service) (push_deliveries_waiting{$all})', legend: '{{push_service}}' },
          ],
        },
        {
          title: 'Mails',
          about: 'Attempts by outcome. A failed one is tried again.',
          unit: 'ops',
          queries: [{ expr: 'sum by (outcome) (rate(mails_total{$all}[$rate]))', legend: '{{outcome}}' }],
        },
        {
          title: 'Digests',
          about:
            'Users whose digest was due, by outcome. They wait for the mail server, a few hundred at a time.',
          unit: 'ops',
          queries: [{ expr: 'sum by (outcome) (rate(digests_total{$all}[$rate]))', legend: '{{outcome}}' }],
        },
        {
          title: 'Delay of digests',
          about: 'How long digests have been due; TmsDigestsLate fires above six hours.',
          unit: 's',
          queries: [{ expr: 'max(digest_lag_seconds{$all})', legend: 'behind' }],
        },
        {
          title: 'Replies by mail',
          about: 'Mails to addresses for replies, by outcome. A deferred one is delivered again.',
          unit: 'ops',
          queries: [
            { expr: 'sum by (outcome) (rate(mail_replies_total{$all}[$rate]))', legend: '{{outcome}}' },
          ],
        },
        {
          title: 'Deletion of organizations',
          about:
            'How long a deletion has been due or running; TmsOrganizationDeletionLate fires above six hours.',
          unit: 's',
          queries: [{ expr: 'max(organization_deletion_lag_seconds{$all})', legend: 'due' }],
        },
        {
          title: 'Calls of other services',
          about: 'Requests to users and realm by endpoint; the ten most frequent.',
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
