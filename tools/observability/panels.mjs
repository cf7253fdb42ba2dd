// What panels of several dashboards are made of. In expressions `$all` selects this installation's series, `$rate` is the
// stretch that rates are of.

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

/** The series that count the requests that a service answers. */
export const http = (job, more = '') => `http_request_duration_seconds_count{$all, job="tms-${job}"${more}}`
/** The time within which this share of a service's requests is answered. */
export const quantile = (share, job, { more = '', by = '' } = {}) =>
  `histogram_quantile(${share}, sum by (le${by}) (rate(http_request_duration_seconds_bucket{$all, job="tms-${job}"${more}}[$rate])))`
/** Counters have no series before they count anything, which is none and not unknown. */
export const orNone = (expr) => `${expr} or vector(0)`

/** The same for half, most and nearly all of them. */
export const quantiles = (job, more) =>
  [0.5, 0.95, 0.99].map((share) => ({ expr: quantile(share, job, { more }), legend: `p${share * 100}` }))

/** What every process tells of itself. */
export const processes = (job) => ({
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
