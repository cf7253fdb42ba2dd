import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import { asTx, type Handler, publisherOf } from '@tms/service-kit'
import { updatePerson } from '../accounts/account.queries.ts'
import { lockOwnAccount } from '../accounts/lock-own-account.ts'
import { toUserFacts } from '../accounts/user-facts.ts'
import type { Context } from '../context.ts'
import { applyChanges, changesOf } from './setting-changes.rules.ts'

const publish = publisherOf('users')

/** Changes the caller's settings, all or none; only what takes another value is told. Throws BAD_REQUEST for bots. */
export const handleUpdateSettings: Handler<typeof endpoints.users.updateSettings, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  if (caller.isBot) throw badRequest('Bots have no settings')
  await context.transact(async (tx) => {
    const own = await lockOwnAccount(tx, caller)
    const changes = changesOf(own, input)
    if (changes.length === 0) return
    const person = await updatePerson(tx, own.id, applyChanges(own, changes))
    await publish(
      asTx(tx),
      domainEvents.users.settingsUpdated,
      { user_id: person.id, changes, facts: toUserFacts(person) },
      { realmId: person.realmId, requestId },
    )
  })
  return {}
}
