import { domainEvents, type endpoints } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { updateAccount } from '../kernel/accounts/account.queries.ts'
import { alertWordsOf } from '../kernel/accounts/json-columns.ts'
import { lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import { toUserProjection } from '../kernel/accounts/user-projection.ts'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { addWords, parseAlertWords, removeWords } from './alert-words.rules.ts'

/** Adds alert words of the caller; returns all of them. */
export const handleAddAlertWords: Handler<typeof endpoints.users.addAlertWords, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const words = parseAlertWords(input.alert_words)
  return change(context, caller, requestId, (stored) => addWords(stored, words))
}

/** Removes alert words of the caller; returns the remaining ones. */
export const handleRemoveAlertWords: Handler<typeof endpoints.users.removeAlertWords, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const words = parseAlertWords(input.alert_words)
  return change(context, caller, requestId, (stored) => removeWords(stored, words))
}

/** Clients rely on the event, so it is published even if the words stay the same. */
function change(
  { transact }: Context,
  caller: Caller,
  requestId: string,
  decide: (stored: readonly string[]) => string[],
): Promise<{ alert_words: string[] }> {
  return transact(async (tx) => {
    const own = await lockOwnAccount(tx, caller)
    const alertWords = decide(alertWordsOf(own))
    const account = await updateAccount(tx, own.id, { alertWords })
    await publish(
      tx,
      domainEvents.users.alertWordsUpdated,
      { user_id: account.id, alert_words: alertWords, projection: toUserProjection(account) },
      { realmId: account.realmId, requestId },
    )
    return { alert_words: alertWords }
  })
}
