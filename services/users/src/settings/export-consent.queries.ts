import type { ExportConsent } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** The consents of active people, by their IDs. */
export async function listExportConsents(db: Queryable, realmId: number): Promise<ExportConsent[]> {
  const { rows } = await db.query<ExportConsent>({
    name: 'export-consents-of-realm',
    text: `
      select id as user_id, settings @> '{"allow_private_data_export": true}' as consented
        from accounts
       where realm_id = $1
         and is_active
         and not is_bot
       order by id`,
    values: [realmId],
  })
  return rows
}
