import type { PackProgress } from '@tms/export-archive'
import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { findOrganization } from '../realms/realm.queries.ts'
import { changeExports } from './change-exports.ts'
import { endExport, type RealmExport, releaseLease, renewLease, takeExport } from './export.queries.ts'
import { runExport } from './run-export.ts'

/** Too small and a busy replica loses its work to another, too large and that of one that died waits. */
const LEASE_SECONDS = 30
const RENEWAL_MS = 5_000
/** How late another replica's export is begun when that one can't. */
const IDLE_MS = 5_000
/** What fails so often fails for a reason that stays. */
const MAX_ATTEMPTS = 3
const RETRY_SECONDS = 10

interface ExporterOptions {
  readonly context: Context
  readonly log: Logger
}

/** Makes the archives of exports, one at a time, this replica's and those that others have left. */
export function startExporter({ context, log }: ExporterOptions): Loop {
  return startLoop({
    name: 'exporter',
    log,
    round: async (signal) => {
      const taken = await takeExport(context.prisma, LEASE_SECONDS)
      if (!taken) return IDLE_MS
      await work(context, log, taken, signal)
      return 0
    },
  })
}

async function work(context: Context, log: Logger, taken: RealmExport, stop: AbortSignal): Promise<void> {
  const lost = new AbortController()
  let progress: PackProgress = { done: 0, total: 0 }
  const renew = () =>
    renewLease(context.prisma, taken, progress, LEASE_SECONDS).then(
      (isOurs) => {
        if (!isOurs) lost.abort(new Error('another replica has taken the export on'))
      },
      // Once it lasts, another replica takes it on, and this one learns of it when it ends.
      (err: unknown) => log.warn({ err, exportId: taken.id }, 'the lease of an export was not renewed'),
    )
  const timer = setInterval(() => void renew(), RENEWAL_MS)
  const projection = { exportId: taken.id, realmId: taken.realmId, attempt: taken.attempt }
  log.info(projection, 'export begun')
  try {
    const realm = await findOrganization(context.prisma, taken.realmId)
    if (!realm) throw new Error('there is no such organization')
    const signal = AbortSignal.any([stop, lost.signal])
    const onProgress = (next: PackProgress) => {
      progress = next
    }
    const file = await runExport(context, taken, realm, { signal, onProgress })
    const isOurs = await end(context, taken, { finishedAt: context.now(), file, ...progress })
    if (!isOurs) await context.blobs.delete(file)
    log.info({ ...projection, isOurs }, 'organization exported')
  } catch (err) {
    if (stop.aborted) return await releaseLease(context.prisma, taken, 0)
    log.error({ err, ...projection }, 'export failed')
    if (taken.attempt < MAX_ATTEMPTS) await releaseLease(context.prisma, taken, RETRY_SECONDS)
    else await end(context, taken, { failedAt: context.now() })
  } finally {
    clearInterval(timer)
  }
}

/** Ends an export and tells administrators; false when another replica has taken it on. */
async function end(
  context: Context,
  taken: RealmExport,
  how: Parameters<typeof endExport>[2],
): Promise<boolean> {
  const cause = { realmId: taken.realmId, requestId: null }
  const ended = await changeExports(context, cause, async (tx) => (await endExport(tx, taken, how)) || null)
  return ended !== null
}
