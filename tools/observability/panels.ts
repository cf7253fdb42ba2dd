// Parts of panels that several dashboards share. In expressions `$all` selects this installation's series, `$rate` is the
// range of rates.

export interface Query {
  expr: string
  /** Legend of each series, as {{label}}; default: the labels. */
  legend?: string
}

export interface Panel {
  title: string
  /** What it shows, and which values are a problem. */
  about: string
  /** Grafana's name of the unit. */
  unit: 'short' | 'reqps' | 'ops' | 's' | 'percentunit' | 'bytes'
  /** Default: timeseries. */
  kind?: 'timeseries' | 'stat'
  queries: readonly Query[]
}

interface Row {
  title: string
  panels: readonly Panel[]
}

export interface Dashboard {
  uid: string
  title: string
  about: string
  rows: readonly Row[]
}

/** The series that count a service's requests. */
export const http = (job: string, more = ''): string =>
  `http_request_duration_seconds_count{$all, job="tms-${job}"${more}}`
/** A quantile of the duration of a service's requests. */
export const quantile = (share: number, job: string, { more = '', by = '' } = {}): string =>
  `histogram_quantile(${share}, sum by (le${by}) (rate(http_request_duration_seconds_bucket{$all, job="tms-${job}"${more}}[$rate])))`
/** Replaces missing series by 0: a counter has no series before it counts anything. */
export const orNone = (expr: string): string => `${expr} or vector(0)`

const SHARES = [0.5, 0.95, 0.99]
/** The quantiles p50, p95 and p99 of the duration of a service's requests. */
export const quantiles = (job: string, more = ''): Query[] =>
  SHARES.map((share) => ({ expr: quantile(share, job, { more }), legend: `p${share * 100}` }))
/** The same of another histogram. */
export const quantilesOf = (buckets: string): Query[] =>
  SHARES.map((share) => ({
    expr: `histogram_quantile(${share}, sum by (le) (rate(${buckets}[$rate])))`,
    legend: `p${share * 100}`,
  }))

/** Metrics that every process exports. */
export const processes = (job: string): Row => ({
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
