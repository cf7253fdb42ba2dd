import type { PackProgress } from '@tms/export-archive'
import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import { findOrganization } from '../kernel/realms/realm.queries.ts'
import { changeExports } from './change-exports.ts'
import {
  claimExport,
  endExport,
  findExport,
  type RealmExport,
  releaseLease,
  renewLease,
} from './export.queries.ts'
import type { ExportContext } from './export-context.ts'
import { runExport } from './run-export.ts'

/** Too small loses the work of a busy replica to another, too large delays that of one that died. */
const LEASE_SECONDS = 30
const RENEWAL_MS = 5_000
/** How late a replica notices an export that another one can't make. */
const IDLE_MS = 5_000
/** An export that fails so often fails for a lasting reason. */
const MAX_ATTEMPTS = 3
const RETRY_SECONDS = 10

interface ExporterOptions {
  readonly context: ExportContext
  readonly log: Logger
}

/** Makes the archives of exports, one at a time: those started here and those that other replicas have left. */
export function startExporter({ context, log }: ExporterOptions): Loop {
  return startLoop({
    name: 'exporter',
    log,
    round: async (signal) => {
      const claimed = await claimExport(context.prisma, LEASE_SECONDS)
      if (!claimed) return IDLE_MS
      await runClaimed(context, log, claimed, signal)
      return 0
    },
  })
}

async function runClaimed(
  context: ExportContext,
  log: Logger,
  claimed: RealmExport,
  stop: AbortSignal,
): Promise<void> {
  const lost = new AbortController()
  let progress: PackProgress = { done: 0, total: 0 }
  const renew = () =>
    renewLease(context.prisma, claimed, progress, LEASE_SECONDS).then(
      (isOurs) => {
        if (!isOurs) lost.abort(new Error('another replica has claimed the export'))
      },
      // If it lasts, another replica claims the export, and this one notices at the end.
      (err: unknown) => log.warn({ err, exportId: claimed.id }, 'the lease of an export was not renewed'),
    )
  const timer = setInterval(() => void renew(), RENEWAL_MS)
  const fields = { exportId: claimed.id, realmId: claimed.realmId, attempt: claimed.attempt }
  log.info(fields, 'export begun')
  try {
    const realm = await findOrganization(context.prisma, claimed.realmId)
    if (!realm) throw new Error('there is no such organization')
    const signal = AbortSignal.any([stop, lost.signal])
    const onProgress = (next: PackProgress) => {
      progress = next
    }
    const file = await runExport(context, claimed, realm, { signal, onProgress })
    // The organization may have been deleted meanwhile, with its exports.
    const isThere = (await findExport(context.prisma, claimed.id)) !== null
    const isOurs = isThere && (await end(context, claimed, { finishedAt: context.now(), file, ...progress }))
    if (!isOurs) await context.blobs.delete(file)
    log.info({ ...fields, isOurs }, 'organization exported')
  } catch (err) {
    if (stop.aborted) return await releaseLease(context.prisma, claimed, 0)
    log.error({ err, ...fields }, 'export failed')
    if (claimed.attempt < MAX_ATTEMPTS) await releaseLease(context.prisma, claimed, RETRY_SECONDS)
    else await end(context, claimed, { failedAt: context.now() })
  } finally {
    clearInterval(timer)
  }
}

/** Ends an export and publishes that to administrators; false if another replica has claimed it. */
async function end(
  context: ExportContext,
  claimed: RealmExport,
  how: Parameters<typeof endExport>[2],
): Promise<boolean> {
  const cause = { realmId: claimed.realmId, requestId: null }
  const ended = await changeExports(context, cause, async (tx) =>
    (await endExport(tx, claimed, how))
      ? { changed: claimed, op: how.failedAt ? 'failed' : 'finished', result: true }
      : null,
  )
  return ended !== null
}
