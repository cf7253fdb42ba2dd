import {
  findFollowedPosition,
  saveCursor,
  saveFollowedPosition,
} from '../cache-lease/followed-source.queries.ts'
import type { Follower } from '../cache-lease/followed-source.ts'
import type { InternalClient } from '../internal-calls/internal-client.ts'
import type { Pool } from '../postgres/pool.ts'
import type { Logger } from '../telemetry/log.ts'
import { applyInOwnTransaction } from './apply-records.ts'
import type { OwnedRecord, Projection } from './define-projection.ts'
import { findRecords } from './find-records.ts'
import { loadProjection } from './load-projection.ts'
import type { ProjectionOwner } from './projection-owner.ts'
import { publishConsequences } from './publish-consequences.ts'
import { markDeleted } from './record.queries.ts'

interface FollowOptions {
  readonly db: Pool
  readonly call: InternalClient
  readonly log: Logger
  readonly owner: ProjectionOwner
}

/** Applies an owner's changes as soon as they are announced, and saves the position in the service's database. */
export function followOwner({ db, call, log, owner }: FollowOptions): Follower {
  const { source, projections } = owner
  const contract = owner.changes.response.shape.changes.unwrap()
  const changedIn = (projection: Projection, changes: unknown): readonly OwnedRecord[] =>
    findRecords(projection, contract, changes)

  const apply = async (changes: unknown): Promise<void> => {
    for (const projection of projections) {
      await applyInOwnTransaction(db, projection, changedIn(projection, changes))
      await markDeleted(db, projection, deletedIn(projection, changes))
    }
    owner.dropCaches(changes)
  }

  return {
    source,
    resume: async () => {
      const followed = await findFollowedPosition(db, source)
      // Other replicas may have moved the position beyond what this one cached.
      owner.dropCaches(null)
      return followed
    },
    apply: async ({ epoch, seq, cursor, changes }) => {
      await apply(changes)
      await saveFollowedPosition(db, source, { epoch, seq, cursor })
    },
    catchUp: async (to) => {
      const followed = await findFollowedPosition(db, source)
      const { cursor, changes } = await call(owner.changes, { since: followed?.cursor ?? null })
      if (changes !== null) await apply(changes)
      // The owner no longer knows the changes, or they are too many.
      else for (const projection of projections) await loadProjection({ db, call }, projection)
      owner.dropCaches(null)
      if (to) await saveFollowedPosition(db, source, { epoch: to.epoch, seq: to.seq, cursor })
      else await saveCursor(db, source, cursor)
    },
    beforeAcknowledging: async ({ changes }) => {
      for (const projection of projections) {
        const ids =
          changes === null ? null : changedIn(projection, changes).map((record) => projection.idOf(record))
        await publishConsequences(db, projection, ids, (err, id) =>
          log.warn({ err, id, projection: projection.name }, 'consequences of a change wait for its event'),
        )
      }
      await owner.beforeAcknowledging?.()
    },
  }
}

function deletedIn({ deletion }: Projection, changes: unknown): readonly number[] {
  if (!deletion) return []
  return (changes as Readonly<Record<string, readonly number[]>>)[deletion.idsIn] ?? []
}
