import { EventEmitter } from 'node:events'
import { type Logger, type Loop, type Pool, startLoop } from '@tms/service-kit'
import { Logger as JobLogger, runTaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker'
import type { JobName, Jobs } from './jobs.ts'

/** Does a job; throws to have it tried again. `id` stays the same at each attempt. */
export type JobWork = { readonly [Name in JobName]: (payload: Jobs[Name], id: string) => Promise<void> }

/** Jobs that one replica does at the same time. */
const CONCURRENCY = 4
/** How often jobs are looked for whose time has come; those for now are noticed at once. */
const POLL_MS = 1_000
/** Until there are workers again: too small tries in vain while the database is away, too large delays mails. */
const RESTART_MS = 2_000

/**
 * Does jobs until stopped, whatever becomes of the database meanwhile. Without the library's timetable, of which nothing here
 * has need: a database that goes away while that is read ends the process.
 */
export function startJobs(db: Pool, work: JobWork, log: Logger): Loop {
  let workers: WorkerPool | undefined
  const loop = startLoop({
    name: 'jobs',
    log,
    retryMs: RESTART_MS,
    round: async (signal) => {
      const events: WorkerEvents = new EventEmitter()
      const present = runTaskList(
        {
          concurrency: CONCURRENCY,
          pollInterval: POLL_MS,
          noHandleSignals: true,
          noPreparedStatements: false,
          logger: jobLogger(log),
          events,
        },
        {
          send_mail: (payload, { job }) => work.send_mail(payload as Jobs['send_mail'], job.id),
          remind_of_invitation: (payload, { job }) =>
            work.remind_of_invitation(payload as Jobs['remind_of_invitation'], job.id),
          delete_avatar: (payload, { job }) => work.delete_avatar(payload as Jobs['delete_avatar'], job.id),
          remove_profile_values: (payload, { job }) =>
            work.remove_profile_values(payload as Jobs['remove_profile_values'], job.id),
        },
        db,
      )
      workers = present
      // A worker that can't note what became of its job ends, and none takes its place: all begin anew then.
      const isShort = new Promise<void>((resolve) => {
        events.on('worker:fatalError', () => present.gracefulShutdown().then(resolve, () => resolve()))
      })
      if (signal.aborted) await present.gracefulShutdown()
      await Promise.race([present.promise, isShort])
      return RESTART_MS
    },
  })
  return {
    wake: loop.wake,
    stop: async () => {
      const stopped = loop.stop()
      await workers?.gracefulShutdown().catch(() => {})
      await stopped
    },
  }
}

const levels = { error: 'warn', warning: 'warn', info: 'debug', debug: 'trace' } as const

/** The library's words at our levels: a failed attempt is a warning, since the job is tried again. */
function jobLogger(log: Logger): JobLogger {
  return new JobLogger(() => (level, message, meta) => {
    log[levels[level]]({ ...meta }, message)
  })
}
