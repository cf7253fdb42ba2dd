import { NOT_CLIENT_PACED } from '../../kubernetes/client-paced.mjs'
import { http, orNone, processes, quantile } from '../panels.mjs'

/** @type {import('../panels.mjs').Dashboard} */
export const gateway = {
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
          about: 'The ten slowest, held polls and files not counted.',
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
      title: 'Where they go',
      panels: [
        {
          title: 'Failed attempts',
          about: 'At replicas, by service and reason; TmsUpstreamFailures tells from one in two seconds on.',
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
          queries: [{ expr: 'gateway_pending_polls{$all}', legend: '{{instance}}' }],
        },
      ],
    },
    processes('tms-gateway'),
  ],
}
