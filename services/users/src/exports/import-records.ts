import { badRequest, systemGroupIds, type UsersRecord } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { makesCycle } from '../groups/group-graph.rules.ts'
import { groupNameKey } from '../groups/group-name.rules.ts'
import { type Batch, batchesOf } from './batches-of.ts'
import { findStrayReference, listGroupLinks } from './import-check.queries.ts'
import { toImportedAccount, toImportedBot } from './imported-account.rules.ts'
import {
  insertAccounts,
  insertBotStorage,
  insertBots,
  insertGroups,
  insertImportedInvitations,
  insertSettingDefaults,
} from './imported-record.queries.ts'
import { hasAnything, listTaken, type NumberedTable, skipIds } from './taken-ids.queries.ts'
import { tellImported } from './tell-imported.ts'

/** An organization that is being imported: nobody knows of it yet but realm. */
export interface ImportedRealm {
  readonly realmId: number
  /** Where it will be. */
  readonly url: string
}

/**
 * Writes what an export has of an organization that has nothing here yet, and tells other services of it. IDs stay what
 * they are; later ones are higher. Throws BAD_REQUEST when an ID is taken, or something refers to what isn't there.
 */
export async function importRecords(
  tx: Tx,
  realm: ImportedRealm,
  records: AsyncIterable<UsersRecord>,
): Promise<void> {
  const { realmId } = realm
  if (await hasAnything(tx, realmId)) throw badRequest('The organization has accounts here already')
  for await (const batch of batchesOf(records)) await write(tx, realm, batch)
  await checkReferences(tx, realmId)
  await tellImported(tx, realmId)
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
        throw badRequest('Something is stored by no bot of the organization, or twice under one key')
      return
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

/** First the IDs that others may get are put beyond these, so that nobody gets one of these meanwhile. */
async function claimIds(tx: Tx, table: NumberedTable, ids: readonly number[]): Promise<void> {
  await skipIds(tx, table, Math.max(...ids))
  const taken = await listTaken(tx, table, ids)
  if (taken.length > 0)
    throw badRequest(`These IDs of ${table.replace('_', ' ')} are taken: ${taken.join(', ')}`)
}

async function checkReferences(tx: Tx, realmId: number): Promise<void> {
  const fault = await findStrayReference(tx, realmId, Object.values(systemGroupIds))
  if (fault !== null) throw badRequest(fault)
  const groups = await listGroupLinks(tx, realmId)
  const circular = groups.find(({ id, direct_subgroup_ids }) => makesCycle(groups, id, direct_subgroup_ids))
  if (circular) throw badRequest(`The user group ${circular.id} is within itself`)
}
