import { badRequest, systemGroupIds, type UsersRecord } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { makesCycle } from '../groups/group-graph.rules.ts'
import { groupNameKey } from '../groups/group-name.rules.ts'
import { foldUserName } from '../kernel/accounts/user-name.rules.ts'
import { type Batch, batchesOf } from './batches-of.ts'
import { findDanglingReference, listGroupLinks } from './import-check.queries.ts'
import { toImportedAccount, toImportedBot } from './imported-account.rules.ts'
import {
  insertAccounts,
  insertBotStorage,
  insertBots,
  insertGroups,
  insertImportedInvitations,
  insertProvisionedUsers,
  insertSavedSnippets,
  insertSettingDefaults,
} from './imported-record.queries.ts'
import { publishImportedAccounts } from './publish-imported-accounts.ts'
import { advanceIdSequence, hasRecords, listTakenIds, type NumberedTable } from './taken-ids.queries.ts'

/** An organization that is being imported; so far only realm knows it. */
export interface ImportedRealm {
  readonly realmId: number
  /** Its future URL. */
  readonly url: string
}

/**
 * Writes the exported records of an organization that has none here, and publishes them. Keeps their IDs; later IDs
 * are higher. Throws BAD_REQUEST if an ID is taken or a reference is missing.
 */
export async function importRecords(
  tx: Tx,
  realm: ImportedRealm,
  records: AsyncIterable<UsersRecord>,
): Promise<void> {
  const { realmId } = realm
  if (await hasRecords(tx, realmId)) throw badRequest('The organization has accounts here already')
  for await (const batch of batchesOf(records)) await write(tx, realm, batch)
  await checkReferences(tx, realmId)
  await publishImportedAccounts(tx, realmId)
}

async function write(tx: Tx, { realmId, url }: ImportedRealm, { kind, records }: Batch): Promise<void> {
  switch (kind) {
    case 'setting_defaults':
      for (const { settings } of records) await insertSettingDefaults(tx, realmId, settings)
      return
    case 'user':
    case 'bot':
      await claimIds(
        tx,
        'accounts',
        records.map(({ user_id }) => user_id),
      )
      await insertAccounts(
        tx,
        realmId,
        records.map((account) => toImportedAccount(account, url)),
      )
      if (kind === 'bot') await insertBots(tx, records.filter(isManaged).map(toImportedBot))
      return
    case 'bot_storage':
      if ((await insertBotStorage(tx, realmId, records)) < records.length)
        throw badRequest('An entry is stored by no bot of the organization, or twice under one key')
      return
    case 'saved_snippet':
      if ((await insertSavedSnippets(tx, realmId, records)) < records.length)
        throw badRequest('A saved snippet belongs to no user of the organization')
      return
    case 'provisioned_user': {
      const users = records.map((user) => ({ ...user, user_name_lower: foldUserName(user.user_name) }))
      if ((await insertProvisionedUsers(tx, realmId, users)) < records.length)
        throw badRequest('A provisioned user is nobody of the organization, or has the user name of another')
      return
    }
    case 'user_group':
      await claimIds(
        tx,
        'user_groups',
        records.map(({ id }) => id),
      )
      await insertGroups(
        tx,
        realmId,
        records.map((group) => ({ ...group, name_key: groupNameKey(group.name) })),
      )
      return
    case 'invitation':
      await claimIds(
        tx,
        'invitations',
        records.map(({ id }) => id),
      )
      await insertImportedInvitations(tx, realmId, records)
      return
  }
}

const isManaged = ({ is_system_bot }: { readonly is_system_bot: boolean }): boolean => !is_system_bot

/** Advances the sequence past these IDs first, so that nothing else can take one meanwhile. */
async function claimIds(tx: Tx, table: NumberedTable, ids: readonly number[]): Promise<void> {
  await advanceIdSequence(tx, table, Math.max(...ids))
  const taken = await listTakenIds(tx, table, ids)
  if (taken.length > 0)
    throw badRequest(`These IDs of ${table.replace('_', ' ')} are taken: ${taken.join(', ')}`)
}

async function checkReferences(tx: Tx, realmId: number): Promise<void> {
  const fault = await findDanglingReference(tx, realmId, Object.values(systemGroupIds))
  if (fault !== null) throw badRequest(fault)
  const groups = await listGroupLinks(tx, realmId)
  const circular = groups.find(({ id, direct_subgroup_ids }) => makesCycle(groups, id, direct_subgroup_ids))
  if (circular) throw badRequest(`The user group ${circular.id} is within itself`)
}
