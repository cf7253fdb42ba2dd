import { domainEvents } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { lockAccounts } from '../kernel/accounts/account-list.queries.ts'
import { profileDataOf } from '../kernel/accounts/json-columns.ts'
import { readUnfilteredRecords } from '../kernel/accounts/unfiltered-record.ts'
import { toUserProjection } from '../kernel/accounts/user-projection.ts'
import type { Context } from '../kernel/context.ts'
import { currentFieldsOf } from '../kernel/profiles/current-fields.ts'
import { publish } from '../kernel/publish.ts'
import { listProfileFields, lockProfileFields } from '../kernel/realms/profile-field.queries.ts'
import { listProfileOwners, saveProfileData } from './profile-data.queries.ts'
import { diffProfileData } from './profile-data.rules.ts'

/** Users per page. Those of a page that lose values change in one transaction: about 0.4 ms for each of them. */
const PAGE = 500

/** Removes values of deleted fields and options. Idempotent, so an interrupted run can be repeated. */
export async function removeProfileValues(
  { db, transact }: Pick<Context, 'db' | 'transact'>,
  realmId: number,
): Promise<void> {
  const { lastingValues } = currentFieldsOf(await listProfileFields(db, realmId))
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    const owners = await listProfileOwners(db, realmId, { afterId, limit: PAGE })
    const ids = owners.filter(({ data }) => lastingValues(data) !== data).map(({ id }) => id)
    if (ids.length > 0) await transact((tx) => removeValuesOf(tx, realmId, ids))
    afterId = owners.length < PAGE ? undefined : owners.at(-1)?.id
  }
}

async function removeValuesOf(tx: Tx, realmId: number, ids: readonly number[]): Promise<void> {
  const accounts = await lockAccounts(tx, realmId, ids)
  const fields = await lockProfileFields(tx, realmId)
  if (!fields) return
  const { lastingValues } = currentFieldsOf(fields)
  const changed = accounts.flatMap((before) => {
    const data = profileDataOf(before)
    const profileData = lastingValues(data)
    if (profileData === data) return []
    const after: Account = { ...before, profileData, version: before.version + 1 }
    return [{ after, changes: diffProfileData(data, profileData, fields) }]
  })
  await saveProfileData(
    tx,
    changed.map(({ after }) => after),
  )
  const published = changed.filter(({ changes }) => changes.length > 0)
  const records = await readUnfilteredRecords(
    tx,
    realmId,
    published.map(({ after }) => after),
  )
  for (const [index, { account, user }] of records.entries()) {
    const { changes = [] } = published[index] ?? {}
    const payload = { user_id: account.id, changes, user, projection: toUserProjection(account) }
    await publish(tx, domainEvents.users.userUpdated, payload, { realmId, requestId: null })
  }
}
