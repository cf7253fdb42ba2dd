import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { type BlobStore, blobStoreVariables, openBlobStore } from '@tms/blob-store'
import type { ExportScope, MessagingRecord } from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { z } from 'zod'
import { exportHandlers } from '../../../services/messaging/src/exports/export-handlers.ts'
import type { Context } from '../../../services/messaging/src/kernel/context.ts'
import { insertKnownUsers } from './messaging-organization.ts'
import { idsOf } from './messaging-rows.ts'

/** The organization that is exported, and its IDs. */
export const REALM = 1
export const BASE = 10_000
export const ids = idsOf(BASE)
/** Another organization. */
export const OTHER = { realmId: 2, base: 500 } as const

/** Tables that are rebuilt, belong to no organization, or are projections. */
const NOT_EXPORTED = [
  ...[
    'added_mentions',
    'channel_traffic',
    'blobs_to_delete',
    'guest_visibility_changes',
    'search_progress',
    'idempotency_keys',
    'missed_message_batches',
    'missed_message_progress',
    'missed_messages',
    'missed_wildcards',
    'pending_imports',
    'postponed_notifications',
    'push_notices',
    'pushed_messages',
    'resumable_uploads',
    'webhook_attempts',
    'webhook_backlogs',
    'webhook_calls',
    'webhook_deliveries',
    'webhook_failure_notices',
    'webhook_secrets',
  ],
  ...[
    'projection_replay',
    'followed_sources',
    'known_groups',
    'known_realms',
    'known_users',
    'audit_outbox',
    'outbox',
    'outbox_relay',
    'projection_position',
    'recent_changes',
    'recent_changes_horizon',
  ],
  ...['migrations', 'shared_migrations'],
]

/** Messaging's database and files, without the service. */
export interface Installation {
  readonly databases: TestDatabases
  readonly db: Pool
  readonly blobs: BlobStore
}

export async function openInstallation(): Promise<Installation> {
  const databases = await startTestDatabases(process.env)
  const variables = { UPLOADS_URL: pathToFileURL(join(databases.dataDir, 'uploads')).href }
  const blobs = await openBlobStore(z.object(blobStoreVariables).parse(variables))
  return { databases, db: createPool(databases.urls.messaging, 5, createLog('test', 'silent')), blobs }
}

export async function closeInstallation({ databases, db }: Installation): Promise<void> {
  await db.end()
  await databases.stop()
}

/** The context of handlers; the users service has the organization's users already. */
export const contextOf = ({ db, blobs }: Pick<Installation, 'db' | 'blobs'>): Context => {
  const loadMissingUsers = (realmId: number) => insertKnownUsers(db, realmId, [ids.alice, ids.bob, ids.carol])
  const part = { db, blobs, loadMissingUsers, now: () => new Date(), blobDeletion: { wake: () => {} } }
  return part as unknown as Context
}

/** Undoes an import. */
export async function removeImport(where: Installation, realmId: number): Promise<void> {
  await exportHandlers.removeImport({ realm_id: realmId }, contextOf(where), 'a request')
}

/** Deletes organizations of any origin. */
export async function removeOrganizations(where: Installation, ...realmIds: number[]): Promise<void> {
  for (const realmId of realmIds) {
    await where.db.query('insert into pending_imports values ($1) on conflict do nothing', [realmId])
    await removeImport(where, realmId)
  }
  await where.db.query('delete from blobs_to_delete')
}

export type Exported = MessagingRecord | { readonly kind: 'file'; readonly key: string }

/** The records of messaging in an export, without the lines around them. */
export async function exportFrom(
  where: Installation,
  scope: ExportScope,
  realmId: number = REALM,
): Promise<Exported[]> {
  const body = { realm_id: realmId, scope }
  const { content } = await exportHandlers.exportRecords(body, contextOf(where), 'a request')
  const text = Buffer.concat(await Readable.from(content).toArray()).toString()
  return text
    .trimEnd()
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line))
}

/** Records as lines of an import, with their end. */
export function linesOf(records: readonly Exported[]): string[] {
  const counts: Record<string, number> = {}
  for (const { kind } of records) counts[kind] = (counts[kind] ?? 0) + 1
  return [...records, { kind: 'end', counts }].map((line) => `${JSON.stringify(line)}\n`)
}

/** Imports such lines. Rejects as messaging does. */
export const importLines = (
  where: Installation,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<{ counts: Record<string, number> }> =>
  exportHandlers.importRecords(
    { realm_id: REALM },
    contextOf(where),
    'a request',
    Readable.from(lines).map((line: string) => Buffer.from(line)),
  )

/** Imports records. */
export const importInto = (
  where: Installation,
  records: readonly Exported[],
): Promise<{ counts: Record<string, number> }> => importLines(where, linesOf(records))

/** A column that each new private channel has set until the loop of full members has looked at the channel. */
const MARK_OF_LOOP = 'admits_full_members'

/** The rows of every table that an export covers. */
export async function dump({ db }: Installation): Promise<Record<string, Record<string, unknown>[]>> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select table_name as name
       from information_schema.tables
      where table_schema = current_schema()
        and table_type = 'BASE TABLE'
        and table_name <> all($1)
      order by 1`,
    [NOT_EXPORTED],
  )
  const dumped: Record<string, Record<string, unknown>[]> = {}
  for (const { name } of tables) {
    const { rows } = await db.query(`select to_jsonb(t) - $1::text as row from ${name} as t order by 1`, [
      MARK_OF_LOOP,
    ])
    dumped[name] = rows.map(({ row }) => row)
  }
  return dumped
}
