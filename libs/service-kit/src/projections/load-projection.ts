import type { InternalClient } from '../internal-calls/internal-client.ts'
import { type Loop, startLoop } from '../lifecycle/loop.ts'
import type { Pool } from '../postgres/pool.ts'
import type { Logger } from '../telemetry/log.ts'
import { applyInOwnTransaction } from './apply-records.ts'
import type { OwnedRecord, Projection } from './define-projection.ts'
import type { ProjectionOwner } from './projection-owner.ts'
import { publishAllConsequences } from './publish-consequences.ts'
import { listStoredIds, markDeleted } from './record.queries.ts'

/** Catches changes that both announcements and the projections stream have missed. */
const RELOAD_MS = 3_600_000
/** A page takes its owner longer than calls on the path of a request may. */
const PAGE_TIMEOUT_MS = 30_000

/** A client whose calls may take as long as a page. */
export const pageClient =
  (call: InternalClient): InternalClient =>
  (endpoint, body, options) =>
    call(endpoint, body, { timeoutMs: PAGE_TIMEOUT_MS, ...options })

interface LoadOptions {
  readonly db: Pool
  readonly call: InternalClient
}

/**
 * Loads all records from their owner, or those of one organization. Writes only those that are missing or older here.
 * Throws SERVICE_UNAVAILABLE if the owner does not answer.
 */
export async function loadProjection(
  { db, call }: LoadOptions,
  projection: Projection,
  { realmId, signal }: { readonly realmId?: number; readonly signal?: AbortSignal } = {},
): Promise<void> {
  // A record that was stored before and isn't listed any more was deleted.
  const isComplete = projection.deletion !== undefined && realmId === undefined
  const unlisted = new Set(isComplete ? await listStoredIds(db, projection) : [])
  for await (const records of readPages(pageClient(call), projection, realmId)) {
    if (signal?.aborted) return
    await applyInOwnTransaction(db, projection, records)
    for (const record of records) unlisted.delete(projection.idOf(record))
  }
  await markDeleted(db, projection, [...unlisted])
}

async function* readPages(
  call: InternalClient,
  { load, idOf }: Projection,
  realmId: number | undefined,
): AsyncGenerator<readonly OwnedRecord[]> {
  let after = 0
  while (true) {
    const records = await load.list(call, { after, limit: load.pageSize, realmId })
    yield realmId === undefined ? records : records.filter((record) => record.realm_id === realmId)
    const last = records.at(-1)
    if (last === undefined || records.length < load.pageSize) return
    after = idOf(last)
  }
}

/**
 * Loads all projections at start and every hour, and retries until it works. Newer versions that arrive meanwhile
 * stay.
 */
export function startProjectionLoader(
  options: LoadOptions & { readonly log: Logger; readonly owners: readonly ProjectionOwner[] },
): Loop {
  const { db, log, owners } = options
  const projections = owners.flatMap((owner) => owner.projections)
  return startLoop({
    name: 'projection loader',
    log,
    retryMs: 2_000,
    round: async (signal) => {
      for (const projection of projections) await loadProjection(options, projection, { signal })
      for (const owner of owners) owner.dropCaches(null)
      await publishAllConsequences(db, projections)
      log.info({ projections: projections.map(({ name }) => name) }, 'projections loaded')
      return RELOAD_MS
    },
  })
}
