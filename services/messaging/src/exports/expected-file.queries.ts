import type { Queryable } from '@tms/service-kit'

/** A file whose bytes an import is still to bring. */
export interface ExpectedFile {
  readonly pathId: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
}

/**
 * The file of an organization that is being imported whose path ID begins with this and a slash; null if there is
 * none. With a lock it stays until the transaction ends.
 */
export async function findExpectedFile(
  db: Queryable,
  realmId: number,
  pathBegin: string,
  lock: 'for share' | '' = '',
): Promise<ExpectedFile | null> {
  const { rows } = await db.query<ExpectedFile>({
    name: `find-expected-file${lock === '' ? '' : '-to-keep'}`,
    // In byte order, `0` follows the slash.
    text: `
      select a.path_id as "pathId", a.content_type as "contentType", a.size
        from attachments a
       where a.path_id ~>=~ ($2::text || '/')
         and a.path_id ~<~ ($2::text || '0')
         and a.realm_id = $1
         and exists (select from pending_imports i where i.realm_id = a.realm_id)
         ${lock === '' ? '' : `${lock} of a`}`,
    values: [realmId, pathBegin],
  })
  return rows[0] ?? null
}
