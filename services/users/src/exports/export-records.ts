import type { ExportScope, UsersRecord } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { blobNamesOf } from '../avatars/avatar-files.ts'
import {
  readAvatars,
  readBotStorage,
  readBots,
  readGroups,
  readInvitations,
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
  const isFull = scope === 'full'
  yield* readSettingDefaults(tx, realmId)
  for await (const user of readUsers(tx, realmId)) yield isFull ? user : toPublicUser(user)
  for await (const bot of readBots(tx, realmId)) yield isFull ? bot : toPublicBot(bot)
  if (isFull) yield* readBotStorage(tx, realmId)
  if (isFull) yield* readSavedSnippets(tx, realmId)
  yield* readGroups(tx, realmId)
  if (isFull) yield* readInvitations(tx, realmId)
}

/** Blobs of the organization's avatars. */
export async function* listExportedFiles(
  tx: Tx,
  realmId: number,
  scope: ExportScope,
): AsyncGenerator<string> {
  for await (const { file } of readAvatars(tx, realmId)) {
    const { original, medium, normal } = blobNamesOf(realmId, file)
    // The metadata of an original may contain a location.
    if (scope === 'full') yield original
    yield medium
    yield normal
  }
}
