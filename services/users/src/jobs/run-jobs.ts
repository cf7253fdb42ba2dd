import { EventEmitter } from 'node:events'
import { type Logger, type Loop, type Pool, startLoop } from '@tms/service-kit'
import {
  type Job,
  type JobHelpers,
  Logger as JobLogger,
  runTaskList,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker'
import type { JobName, Jobs } from '../kernel/jobs/jobs.ts'
import { askForTasks, forgetWorkers, recordWorkers, releaseAbandoned } from './job-locks.queries.ts'

/** An attempt to run a job. */
export interface JobAttempt {
  /** The same in all attempts. */
  readonly jobId: string
  readonly isFirst: boolean
  /** From when the job was added, by the clock of the database. */
  readonly waitedMs: number
}

/** Runs a job; throws to have it retried. */
export type JobWork = {
  readonly [Name in JobName]: (payload: Jobs[Name], attempt: JobAttempt) => Promise<void>
}

/** Concurrent jobs per replica. */
const CONCURRENCY = 4
/** How often delayed jobs are looked for; immediate ones are noticed at once. */
const POLL_MS = 1_000
/** Delay before workers restart: smaller retries in vain while the database is down, larger delays mails. */
const RESTART_MS = 2_000
/** How often replicas record that their workers are alive, and look for jobs of dead ones. */
const RENEW_MS = 10_000
/** A job is tried again this long after its replica died; some records may fail. The library waits for four hours. */
const ABANDONED_AFTER_MS = 45_000

/**
 * Runs jobs until stopped, and survives outages of the database. Doesn't use the library's cron, whose reader ends
 * the process if the database is lost.
 */
export function startJobs(db: Pool, work: JobWork, log: Logger): Loop {
  let workers: WorkerPool | undefined
  let workerIds: readonly string[] = []
  const records = startLoop({
    name: 'workers of jobs',
    log,
    round: async () => {
      await recordWorkers(db, workerIds)
      const count = await releaseAbandoned(db, ABANDONED_AFTER_MS)
      if (count > 0) log.warn({ count }, 'jobs of replicas that are gone are tried again')
      await forgetWorkers(db)
      return RENEW_MS
    },
  })
  const loop = startLoop({
    name: 'jobs',
    log,
    retryMs: RESTART_MS,
    round: async (signal) => {
      // The library keeps some memory of each pool for good, so none is made while the database is away.
      await askForTasks(db)
      const events: WorkerEvents = new EventEmitter()
      workerIds = []
      events.on('worker:create', ({ worker }) => {
        workerIds = [...workerIds, worker.workerId]
        // Before its first job, if possible: one of a worker that nobody knows would wait for hours if this process died.
        records.wake()
      })
      const pool = runTaskList(
        {
          concurrency: CONCURRENCY,
          pollInterval: POLL_MS,
          noHandleSignals: true,
          noPreparedStatements: false,
          logger: jobLogger(log),
          events,
        },
        tasksOf(work),
        releasedOnce(db),
      )
      workers = pool
      let ending: Promise<void> | undefined
      const isEnded = new Promise<void>((resolve) => {
        const end = () => {
          ending ??= pool.gracefulShutdown().then(resolve, () => resolve())
        }
        // A worker that can't record its job's outcome ends without replacement, so all workers restart.
        events.on('worker:fatalError', end)
        // Workers ask for the IDs of their tasks once: if that fails, the library keeps the failure, and never finds a job. It reports
        // the failure before the worker waits for its next attempt, and only one that waits ends without an error.
        const restart = () => setImmediate(end)
        events.once('worker:getJob:error', restart)
        for (const succeeded of ['worker:getJob:empty', 'job:start'] as const)
          events.once(succeeded, () => events.off('worker:getJob:error', restart))
      })
      if (signal.aborted) await pool.gracefulShutdown()
      await Promise.race([pool.promise, isEnded])
      return RESTART_MS
    },
  })
  return {
    wake: loop.wake,
    stop: async () => {
      const stopped = loop.stop()
      await workers?.gracefulShutdown().catch(() => {})
      await stopped
      await records.stop()
    },
  }
}

/** The work as the library calls it. */
function tasksOf(work: JobWork): TaskList {
  const jobs = Object.entries(work) as [JobName, (payload: unknown, attempt: JobAttempt) => Promise<void>][]
  return Object.fromEntries(
    jobs.map(([name, run]) => [
      name,
      (payload: unknown, { job }: JobHelpers) => run(payload, attemptOf(job)),
    ]),
  )
}

const attemptOf = ({ id, attempts, created_at, locked_at }: Job): JobAttempt => ({
  jobId: id,
  isFirst: attempts === 1,
  waitedMs: locked_at === null ? Number.POSITIVE_INFINITY : locked_at.getTime() - created_at.getTime(),
})

/**
 * The pool as the library uses it. The library releases the connection on which it listens a second time if that is lost while it
 * stops listening, which would be an unhandled rejection.
 */
function releasedOnce(db: Pool): Pool {
  const connect: Pool['connect'] = (callback?: Parameters<Pool['connect']>[0]) => {
    if (!callback) return db.connect() as never
    return db.connect((err, client, release) => {
      let isReleased = false
      callback(err, client, (cause) => {
        if (!isReleased) release(cause)
        isReleased = true
      })
    }) as never
  }
  return { connect } as Pool
}

const levels = { error: 'warn', warning: 'warn', info: 'debug', debug: 'trace' } as const

/** The library's messages at our levels: a failed attempt is a warning, since the job is retried. */
function jobLogger(log: Logger): JobLogger {
  return new JobLogger(() => (level, message, meta) => {
    log[levels[level]]({ ...meta }, message)
  })
}
