import { Gauge, type Pool, type Registry } from '@tms/service-kit'
import { countJobs, type JobCounts } from './job-counts.queries.ts'

/** Counting further costs more than it is worth. */
const MAX_COUNTED = 100_000
const UNKNOWN: JobCounts = { waiting: Number.NaN, lagSeconds: Number.NaN, givenUp: Number.NaN }

/** Gauges of jobs, mails included. Every replica reports the same, with one query per scrape. */
export function registerJobMetrics(db: Pool, metrics: Registry): void {
  let counting: Promise<JobCounts> | null = null
  const count = () => {
    // If the database is down, these gauges are NaN and all others still report.
    counting ??= countJobs(db, MAX_COUNTED)
      .catch(() => UNKNOWN)
      .finally(() => {
        counting = null
      })
    return counting
  }
  const gauge = (name: string, help: string, of: keyof JobCounts) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        this.set((await count())[of])
      },
    })
  gauge(
    'jobs_waiting',
    `Jobs, mails among them, whose time has come and that are not done, by all replicas; ${MAX_COUNTED} stands for more.`,
    'waiting',
  )
  gauge(
    'jobs_lag_seconds',
    'How long the most overdue job has been waiting, including the delays after its failed attempts.',
    'lagSeconds',
  )
  gauge(
    'jobs_given_up',
    'Jobs that failed at all their attempts and are not tried again, by all replicas.',
    'givenUp',
  )
}
