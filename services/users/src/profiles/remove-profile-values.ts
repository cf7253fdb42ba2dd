import { asTx } from '@tms/service-kit'
import { lockPerson } from '../accounts/account.queries.ts'
import { changePerson } from '../accounts/change-person.ts'
import type { Context } from '../context.ts'
import { currentFieldsOf } from './current-fields.ts'
import { listProfileOwners, lockProfileFields } from './profile-data.queries.ts'
import { profileChanges, profileDataOf } from './profile-data.rules.ts'

/** People who are looked at together; each is changed alone, so that nobody waits for all. */
const PAGE = 500

/**
 * Takes away what people have filled into fields that are gone, and options that are. Doing it again does nothing, so
 * it goes on where it was interrupted.
 */
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
        const person = await lockPerson(tx, realmId, id)
        const fields = await lockProfileFields(asTx(tx), realmId)
        if (!person || !fields) return
        const had = profileDataOf(person)
        const has = currentFieldsOf(fields).valuesOf(person)
        if (has === had) return
        await changePerson(tx, person, { profileData: has }, null, profileChanges(had, has, fields))
      })
    }
    afterId = ids.at(-1) ?? afterId
  } while (ids.length === PAGE)
}
