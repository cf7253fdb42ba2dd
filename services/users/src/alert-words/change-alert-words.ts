import { domainEvents, type endpoints } from '@tms/contracts'
import { asTx, type Caller, type Handler, publisherOf } from '@tms/service-kit'
import { updatePerson } from '../accounts/account.queries.ts'
import { lockOwnAccount } from '../accounts/lock-own-account.ts'
import { toUserProjection } from '../accounts/user-projection.ts'
import type { Context } from '../context.ts'
import { addWords, alertWordsOf, parseAlertWords, removeWords } from './alert-words.rules.ts'

const publish = publisherOf('users')

/** Adds words for which the caller wants to be alerted; answers all of them. */
export const handleAddAlertWords: Handler<typeof endpoints.users.addAlertWords, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const words = parseAlertWords(input.alert_words)
  return change(context, caller, requestId, (kept) => addWords(kept, words))
}

/** Takes words away; answers those that are left. */
export const handleRemoveAlertWords: Handler<typeof endpoints.users.removeAlertWords, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const words = parseAlertWords(input.alert_words)
  return change(context, caller, requestId, (kept) => removeWords(kept, words))
}

/** Clients count on the event, so it comes even when the words stay the same. */
function change(
  { transact }: Context,
  caller: Caller,
  requestId: string,
  decide: (kept: readonly string[]) => string[],
): Promise<{ alert_words: string[] }> {
  return transact(async (tx) => {
    const own = await lockOwnAccount(tx, caller)
    const alertWords = decide(alertWordsOf(own))
    const person = await updatePerson(tx, own.id, { alertWords })
    await publish(
      asTx(tx),
      domainEvents.users.alertWordsUpdated,
      { user_id: person.id, alert_words: alertWords, projection: toUserProjection(person) },
      { realmId: person.realmId, requestId },
    )
    return { alert_words: alertWords }
  })
}
