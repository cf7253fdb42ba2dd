import type { Queryable } from '@tms/service-kit'

/** A file that an import is to bring the bytes of. */
export interface AwaitedFile {
  readonly pathId: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
}

/**
 * The file of an organization whose path ID begins with this and a slash, if the organization is being imported; null for
 * any other. With a lock it stays until the transaction ends.
 */
export async function findAwaitedFile(
  db: Queryable,
  realmId: number,
  pathBegin: string,
  lock: 'for share' | '' = '',
): Promise<AwaitedFile | null> {
  const { rows } = await db.query<AwaitedFile>({
    name: `find-awaited-file${lock === '' ? '' : '-to-keep'}`,
    // A zero comes right after a slash.
    text: `
      select a.path_id as "pathId", a.content_type as "contentType", a.size
        from attachments a
       where a.path_id ~>=~ ($2::text || '/')
         and a.path_id ~<~ ($2::text || '0')
         and a.realm_id = $1
         and exists (select from unopened_imports i where i.realm_id = a.realm_id)
         ${lock === '' ? '' : `${lock} of a`}`,
    values: [realmId, pathBegin],
  })
  return rows[0] ?? null
}
