import type { ExportScope, UsersRecord } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { blobNamesOf } from '../avatars/avatar-files.ts'
import {
  readAvatars,
  readBotStorage,
  readBots,
  readGroups,
  readInvitations,
  readSettingDefaults,
  readUsers,
} from './exported-record.queries.ts'
import { toPublicBot, toPublicUser } from './public-record.rules.ts'

/**
 * What an organization has here, in the order in which an import takes it. Do it in a transaction that shows one
 * moment; rows come from it a few at a time.
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
  yield* readGroups(tx, realmId)
  if (isFull) yield* readInvitations(tx, realmId)
}

/** What the store has of the avatars of an organization. */
export async function* listExportedFiles(
  tx: Tx,
  realmId: number,
  scope: ExportScope,
): AsyncGenerator<string> {
  for await (const { file } of readAvatars(tx, realmId)) {
    const { original, medium, normal } = blobNamesOf(realmId, file)
    // A picture as it was uploaded may say where it was taken.
    if (scope === 'full') yield original
    yield medium
    yield normal
  }
}
