import { asTx } from '@tms/service-kit'
import { lockAccount } from '../accounts/account.queries.ts'
import { changeAccount } from '../accounts/change-account.ts'
import type { Context } from '../context.ts'
import { currentFieldsOf } from './current-fields.ts'
import { listProfileOwners, lockProfileFields } from './profile-data.queries.ts'
import { diffProfileData, profileDataOf } from './profile-data.rules.ts'

/** Users per page; each is changed in its own transaction, so that none waits for all. */
const PAGE = 500

/** Removes values of deleted fields and options. Idempotent, so an interrupted run can be repeated. */
export async function removeProfileValues(
  { db, transact }: Pick<Context, 'db' | 'transact'>,
  realmId: number,
): Promise<void> {
  let ids: number[]
  let afterId = 0
  do {
    ids = await listProfileOwners(db, realmId, { afterId, limit: PAGE })
    for (const id of ids) {
      await transact(async (tx) => {
        const account = await lockAccount(tx, realmId, id)
        const fields = await lockProfileFields(asTx(tx), realmId)
        if (!account || !fields) return
        const before = profileDataOf(account)
        const after = currentFieldsOf(fields).valuesOf(account)
        if (after === before) return
        await changeAccount(tx, account, { profileData: after }, null, diffProfileData(before, after, fields))
      })
    }
    afterId = ids.at(-1) ?? afterId
  } while (ids.length === PAGE)
}
