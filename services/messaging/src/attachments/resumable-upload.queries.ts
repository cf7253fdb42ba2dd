import type { EndpointOutput, endpoints } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'

export interface ResumableUpload {
  readonly id: string
  readonly name: string
  readonly contentType: string
  readonly length: number
  readonly received: number
  /** Blobs, in their order. */
  readonly parts: readonly string[]
  readonly expiresAt: Date
  /** What the request that ended it got; null if it goes on. */
  readonly answer: UploadAnswer | null
}

/** The answer to a whole upload. */
export type UploadAnswer = EndpointOutput<typeof endpoints.messaging.uploadFile>

const COLUMNS = `id, name, content_type as "contentType", length, received, parts, expires_at as "expiresAt", answer`

/** Inserts an upload unless its owner has `atMost` already; whether it did. */
export async function insertResumableUpload(
  db: Queryable,
  upload: Pick<ResumableUpload, 'id' | 'name' | 'contentType' | 'length' | 'expiresAt'>,
  owner: { readonly realmId: number; readonly userId: number },
  atMost: number,
): Promise<boolean> {
  const { rows } = await db.query(
    `insert into resumable_uploads (id, realm_id, owner_id, name, content_type, length, expires_at)
     select $1, $2, $3, $4, $5, $6, $7
      where (select count(*) from resumable_uploads where owner_id = $3 and expires_at > now() and answer is null) < $8
     returning id`,
    [
      upload.id,
      owner.realmId,
      owner.userId,
      upload.name,
      upload.contentType,
      upload.length,
      upload.expiresAt,
      atMost,
    ],
  )
  return rows.length > 0
}

/** Null if the user has no such upload, or it has expired. */
export async function findResumableUpload(
  db: Queryable,
  ownerId: number,
  id: string,
): Promise<ResumableUpload | null> {
  const { rows } = await db.query<ResumableUpload>(
    `select ${COLUMNS} from resumable_uploads where id = $1 and owner_id = $2 and expires_at > now()`,
    [id, ownerId],
  )
  return rows[0] ?? null
}

/** Adds a part that follows `received` bytes; false if others have arrived since. */
export async function addPart(
  db: Queryable,
  { id, received }: Pick<ResumableUpload, 'id' | 'received'>,
  part: { readonly name: string; readonly size: number },
): Promise<boolean> {
  const { rows } = await db.query(
    `update resumable_uploads
        set received = received + $3, parts = parts || $4::text
      where id = $1
        and received = $2
        and answer is null
     returning id`,
    [id, received, part.size, part.name],
  )
  return rows.length > 0
}

/**
 * Ends an upload of which `received` bytes have arrived; false if others have arrived since, or it ended. What became of it is known
 * for another hour.
 */
export async function endResumableUpload(
  tx: Tx,
  { id, received }: Pick<ResumableUpload, 'id' | 'received'>,
  answer: UploadAnswer,
): Promise<boolean> {
  const { rows } = await tx.query(
    `update resumable_uploads
        set received = length, parts = '{}', answer = $3, expires_at = least(expires_at, now() + interval '1 hour')
      where id = $1
        and received = $2
        and answer is null
     returning id`,
    [id, received, JSON.stringify(answer)],
  )
  return rows.length > 0
}

/** Cancels an upload of which `received` bytes have arrived; false if others have arrived since, or it ended. */
export async function cancelUpload(
  db: Queryable,
  { id, received }: Pick<ResumableUpload, 'id' | 'received'>,
): Promise<boolean> {
  const { rows } = await db.query(
    'delete from resumable_uploads where id = $1 and received = $2 and answer is null returning id',
    [id, received],
  )
  return rows.length > 0
}

export async function deleteExpiredUploads(db: Queryable): Promise<void> {
  await db.query('delete from resumable_uploads where expires_at <= now()')
}
