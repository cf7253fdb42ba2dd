import type { ExportScope, UsersRecord } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { blobNamesOf } from '../avatars/avatar-files.ts'
import {
  listConsentingIds,
  readAvatars,
  readBotStorage,
  readBots,
  readGroups,
  readInvitations,
  readProvisionedUsers,
  readSavedSnippets,
  readSettingDefaults,
  readUsers,
} from './exported-record.queries.ts'
import { toPublicBot, toPublicUser } from './public-record.rules.ts'

/**
 * An organization's records, in the order of the import. Needs a transaction with one snapshot; rows are read in
 * small portions.
 */
export async function* exportRecords(
  tx: Tx,
  realmId: number,
  scope: ExportScope,
): AsyncGenerator<UsersRecord> {
  const isWhole = await wholeAccounts(tx, realmId, scope)
  yield* readSettingDefaults(tx, realmId)
  for await (const user of readUsers(tx, realmId)) yield isWhole(user.user_id) ? user : toPublicUser(user)
  for await (const bot of readBots(tx, realmId)) yield isWhole(bot.user_id) ? bot : toPublicBot(bot)
  if (scope !== 'public') {
    for await (const entry of readBotStorage(tx, realmId)) if (isWhole(entry.user_id)) yield entry
    for await (const snippet of readSavedSnippets(tx, realmId)) if (isWhole(snippet.user_id)) yield snippet
    for await (const user of readProvisionedUsers(tx, realmId)) if (isWhole(user.user_id)) yield user
  }
  yield* readGroups(tx, realmId)
  if (scope === 'public') return
  for await (const invitation of readInvitations(tx, realmId))
    if (isWhole(invitation.invited_by_user_id)) yield invitation
}

/** Blobs of the organization's avatars. */
export async function* listExportedFiles(
  tx: Tx,
  realmId: number,
  scope: ExportScope,
): AsyncGenerator<string> {
  const isWhole = await wholeAccounts(tx, realmId, scope)
  for await (const { id, file } of readAvatars(tx, realmId)) {
    const { original, medium, normal } = blobNamesOf(realmId, file)
    // The metadata of an original may contain a location.
    if (isWhole(id)) yield original
    yield medium
    yield normal
  }
}

/** Whose private data an export has. */
async function wholeAccounts(
  tx: Tx,
  realmId: number,
  scope: ExportScope,
): Promise<(userId: number) => boolean> {
  if (scope !== 'consent') return () => scope === 'full'
  const consenting = new Set(await listConsentingIds(tx, realmId))
  return (userId) => consenting.has(userId)
}
