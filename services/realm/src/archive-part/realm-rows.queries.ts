import type { ExportScope } from '@tms/contracts'
import { readRows, type Tx } from '@tms/service-kit'
import type {
  CodePlayground,
  CustomEmoji,
  EmailDomain,
  Linkifier,
  ProfileField,
  Realm,
} from '../kernel/realms/realm.queries.ts'

/** The organization's own row; null if there is none. */
export async function findRealmRow(tx: Tx, realmId: number): Promise<Realm | null> {
  const { rows } = await tx.query<Realm>({
    name: 'export-realm',
    text: `
      select id,
             string_id as "stringId",
             name,
             description,
             url,
             created_at as "createdAt",
             mandatory_topics as "mandatoryTopics",
             waiting_period_threshold as "waitingPeriodThreshold",
             settings,
             permissions,
             icon_file as "iconFile",
             logo_file as "logoFile",
             night_logo_file as "nightLogoFile"
        from realms
       where id = $1`,
    values: [realmId],
  })
  return rows[0] ?? null
}

export function readLinkifiers(tx: Tx, realmId: number): AsyncGenerator<Linkifier> {
  return readRows(
    tx,
    `select id, pattern, url_template as "urlTemplate", position
       from linkifiers
      where realm_id = $1
      order by position`,
    [realmId],
  )
}

export function readPlaygrounds(tx: Tx, realmId: number): AsyncGenerator<CodePlayground> {
  return readRows(
    tx,
    `select id, name, language, url_template as "urlTemplate"
       from code_playgrounds
      where realm_id = $1
      order by id`,
    [realmId],
  )
}

export function readEmailDomains(tx: Tx, realmId: number): AsyncGenerator<EmailDomain> {
  return readRows(
    tx,
    `select id, domain, allows_subdomains as "allowsSubdomains"
       from email_domains
      where realm_id = $1
      order by id`,
    [realmId],
  )
}

export function readEmoji(tx: Tx, realmId: number): AsyncGenerator<CustomEmoji> {
  return readRows(
    tx,
    `select id,
            name,
            file_name as "fileName",
            is_animated as "isAnimated",
            author_id as "authorId",
            is_deactivated as "isDeactivated"
       from custom_emoji
      where realm_id = $1
      order by id`,
    [realmId],
  )
}

export function readProfileFields(tx: Tx, realmId: number): AsyncGenerator<ProfileField> {
  return readRows(
    tx,
    `select id,
            type,
            name,
            hint,
            field_data as "fieldData",
            is_in_summary as "isInSummary",
            is_required as "isRequired",
            is_editable_by_user as "isEditable",
            position
       from profile_fields
      where realm_id = $1
      order by position`,
    [realmId],
  )
}

/** Number of records of an organization. */
export async function countRecords(tx: Tx, realmId: number, scope: ExportScope): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    name: 'export-count',
    text: `
      select (select count(*) from linkifiers where realm_id = $1)
           + (select count(*) from code_playgrounds where realm_id = $1)
           + (select count(*) from email_domains where realm_id = $1)
           + (select count(*) from custom_emoji where realm_id = $1)
           + (select count(*) from profile_fields where realm_id = $1)
           + case when $2::text = 'full' then (select count(*) from audit_log where realm_id = $1) else 0 end
           + 1 as count`,
    values: [realmId, scope],
  })
  return rows[0]?.count ?? 0
}
