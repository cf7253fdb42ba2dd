import { NOT_CLIENT_PACED } from '../client-paced.ts'
import { type Dashboard, http, orNone, processes, quantile } from '../panels.ts'

export const gateway: Dashboard = {
  uid: 'tms-gateway',
  title: 'Team Messaging: gateway',
  about: 'Incoming requests, authentication, and calls of the services.',
  rows: [
    {
      title: 'Requests',
      panels: [
        {
          title: 'By endpoint',
          about: 'The ten most frequent endpoints.',
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
          about: '401: wrong credentials; 429: more calls than RATE_LIMIT_PER_MINUTE; 5xx: TmsServerErrors.',
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
          about: 'The ten slowest, long polls and files excluded.',
          unit: 's',
          queries: [
            {
              expr: `topk(10, ${quantile(0.95, 'gateway', { more: NOT_CLIENT_PACED, by: ', endpoint' })})`,
              legend: '{{endpoint}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Upstream services',
      panels: [
        {
          title: 'Failed attempts',
          about:
            'Failed calls of replicas, by service and reason; TmsUpstreamFailures fires above one in two seconds.',
          unit: 'ops',
          queries: [
            {
              expr: orNone('sum by (upstream, reason) (rate(gateway_upstream_failures_total{$all}[$rate]))'),
              legend: '{{upstream}} {{reason}}',
            },
          ],
        },
        {
          title: 'Identities',
          about:
            'How credentials were authenticated; stale: from the cache, because users is unavailable (TmsIdentitiesFromMemory).',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (result) (rate(gateway_identity_lookups_total{$all}[$rate]))',
              legend: '{{result}}',
            },
          ],
        },
        {
          title: 'Pending polls',
          about: 'Polls and streams that wait, by replica.',
          unit: 'short',
          queries: [{ expr: 'gateway_pending_polls{$all}', legend: '{{instance}}' }],
        },
        {
          title: 'Poll links',
          about:
            'Connections to events over which polls and streams are handed over, each for up to 200. None beside pending polls: they go as requests, which costs more CPU; the log has why (poll link failed).',
          unit: 'short',
          queries: [{ expr: 'gateway_poll_links{$all}', legend: '{{instance}}' }],
        },
        {
          title: 'Request links',
          about:
            'Connections to users, realm and messaging over which small requests are sent, at most four to an address. None: requests go by HTTP, which costs more CPU; the log has why (request link failed).',
          unit: 'short',
          queries: [{ expr: 'gateway_request_links{$all}', legend: '{{instance}}' }],
        },
      ],
    },
    processes('tms-gateway'),
  ],
}
