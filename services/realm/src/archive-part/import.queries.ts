import type { Tx } from '@tms/service-kit'
import type { StoredSettings } from '../kernel/realms/stored-settings.ts'

export interface NewRealm extends StoredSettings {
  readonly id: number
  readonly stringId: string
  readonly url: string
  readonly createdAt: Date
  readonly iconFile: string | null
  readonly logoFile: string | null
  readonly nightLogoFile: string | null
}

/** The organizations with this ID or subdomain, including those that are being imported. */
export async function findConflictingRealms(
  tx: Tx,
  id: number,
  stringId: string,
): Promise<{ id: number; url: string; importBegunAt: Date | null }[]> {
  const { rows } = await tx.query<{ id: number; url: string; importBegunAt: Date | null }>({
    name: 'import-find-realms',
    text: `
      select id, url, import_begun_at as "importBegunAt"
        from realms
       where id = $1 or string_id = $2
       order by id`,
    values: [id, stringId],
  })
  return rows
}

/** Inserts an organization that nobody can see yet. */
export async function insertRealm(tx: Tx, realm: NewRealm, now: Date): Promise<void> {
  await tx.query({
    name: 'import-insert-realm',
    text: `
      insert into realms (
        id, string_id, name, description, url, created_at, mandatory_topics, waiting_period_threshold,
        settings, permissions, icon_file, logo_file, night_logo_file, import_begun_at
      )
      overriding system value
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    values: [
      realm.id,
      realm.stringId,
      realm.name,
      realm.description,
      realm.url,
      realm.createdAt,
      realm.mandatoryTopics,
      realm.waitingPeriodThreshold,
      JSON.stringify(realm.settings),
      JSON.stringify(realm.permissions),
      realm.iconFile,
      realm.logoFile,
      realm.nightLogoFile,
      now,
    ],
  })
}

/** Statements that insert records of each kind. */
const insertions = {
  linkifier: `
    insert into linkifiers (id, realm_id, pattern, url_template, position)
    overriding system value
    select id, $1, pattern, url_template, "order"
      from jsonb_to_recordset($2) as r (id integer, pattern text, url_template text, "order" integer)`,
  playground: `
    insert into code_playgrounds (id, realm_id, name, language, url_template)
    overriding system value
    select id, $1, name, pygments_language, url_template
      from jsonb_to_recordset($2) as r (id integer, name text, pygments_language text, url_template text)`,
  email_domain: `
    insert into email_domains (id, realm_id, domain, allows_subdomains)
    overriding system value
    select id, $1, domain, allow_subdomains
      from jsonb_to_recordset($2) as r (id integer, domain text, allow_subdomains boolean)`,
  emoji: `
    insert into custom_emoji (id, realm_id, name, file_name, is_animated, author_id, is_deactivated)
    overriding system value
    select id, $1, name, file_name, animated, author_id, deactivated
      from jsonb_to_recordset($2)
           as r (id integer, name text, file_name text, animated boolean, author_id integer, deactivated boolean)`,
  profile_field: `
    insert into profile_fields (id, realm_id, type, name, hint, field_data, is_in_summary, is_required,
                                is_editable_by_user, position)
    overriding system value
    select id, $1, type, name, hint, field_data, display_in_profile_summary, required, editable_by_user, "order"
      from jsonb_to_recordset($2)
           as r (id integer, type smallint, name text, hint text, field_data text,
                 display_in_profile_summary boolean, required boolean, editable_by_user boolean, "order" integer)`,
  audit_entry: `
    insert into audit_log (realm_id, id, at, actor_kind, actor_id, action, target_type, target_ids, channel_id, group_id,
                           details, address, client, request_id)
    select $1, id, to_timestamp(time), actor_kind, actor_id, action, target_type, target_ids, channel_id, group_id,
           details, ip_address, client, request_id
      from jsonb_to_recordset($2)
           as r (id bigint, time float8, actor_kind text, actor_id bigint, action text, target_type text,
                 target_ids bigint[], channel_id bigint, group_id bigint, details jsonb, ip_address text, client text,
                 request_id text)`,
} as const
export type ImportedKind = keyof typeof insertions

/** Adds records of one kind to an organization. */
export async function insertRecords(
  tx: Tx,
  realmId: number,
  kind: ImportedKind,
  records: readonly object[],
): Promise<void> {
  await tx.query(insertions[kind], [realmId, JSON.stringify(records)])
}

const tables = ['realms', 'linkifiers', 'code_playgrounds', 'email_domains', 'custom_emoji', 'profile_fields']

/** Advances the sequences, so that new IDs come after all existing ones. */
export async function advanceIds(tx: Tx): Promise<void> {
  for (const table of tables)
    await tx.query(
      `select setval(sequence, highest)
         from (select pg_get_serial_sequence('${table}', 'id')::regclass as sequence) as named,
              (select max(id) as highest from ${table}) as present
        where highest > coalesce(pg_sequence_last_value(sequence), 0)`,
    )
}

/** Deletes an organization with everything in it. */
export async function deleteRealm(tx: Tx, realmId: number): Promise<void> {
  // Before `realm_deletions`: only while that says that it is being deleted may the audit log be deleted.
  for (const table of [
    'audit_log',
    'audit_set_aside',
    ...tables.slice(1),
    'realm_exports',
    'realm_deletions',
  ])
    await tx.query(`delete from ${table} where realm_id = $1`, [realmId])
  await tx.query({ name: 'import-delete-realm', text: 'delete from realms where id = $1', values: [realmId] })
}
