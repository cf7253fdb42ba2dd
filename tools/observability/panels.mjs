// Parts of panels that several dashboards share. In expressions `$all` selects this installation's series, `$rate` is the
// range of rates.

/**
 * @typedef {object} Query
 * @property {string} expr
 * @property {string} [legend] legend of each series, as {{label}}; default: the labels
 */
/**
 * @typedef {object} Panel
 * @property {string} title
 * @property {string} about what it shows, and which values are a problem
 * @property {'short' | 'reqps' | 'ops' | 's' | 'percentunit' | 'bytes'} unit Grafana's name of the unit
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

/** The series that count a service's requests. */
export const http = (job, more = '') => `http_request_duration_seconds_count{$all, job="tms-${job}"${more}}`
/** A quantile of the duration of a service's requests. */
export const quantile = (share, job, { more = '', by = '' } = {}) =>
  `histogram_quantile(${share}, sum by (le${by}) (rate(http_request_duration_seconds_bucket{$all, job="tms-${job}"${more}}[$rate])))`
/** Replaces missing series by 0: a counter has no series before it counts anything. */
export const orNone = (expr) => `${expr} or vector(0)`

const SHARES = [0.5, 0.95, 0.99]
/** The quantiles p50, p95 and p99 of the duration of a service's requests. */
export const quantiles = (job, more) =>
  SHARES.map((share) => ({ expr: quantile(share, job, { more }), legend: `p${share * 100}` }))
/** The same of another histogram. */
export const quantilesOf = (buckets) =>
  SHARES.map((share) => ({
    expr: `histogram_quantile(${share}, sum by (le) (rate(${buckets}[$rate])))`,
    legend: `p${share * 100}`,
  }))

/** Metrics that every process exports. */
export const processes = (job) => ({
  title: 'Processes',
  panels: [
    {
      title: 'CPU',
      about:
        'Cores that each replica uses. JavaScript runs on one; the rest are rendering, hashes and garbage collection.',
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
      about: 'How long due work waits for the event loop; TmsEventLoopBusy fires from 0.25 s on.',
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
