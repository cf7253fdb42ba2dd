import { badRequest, domainEvents, type endpoints, type StatusChange } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { publish } from '../kernel/publish.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { applyPresenceChoice } from '../presence/publish-presence.ts'
import { changeSettings, isPresenceChoice } from '../settings/change-settings.ts'
import { changesOf } from '../settings/setting-changes.rules.ts'
import { findStatus, saveStatus } from './status.queries.ts'
import { changeStatus, chosenStatus } from './status.rules.ts'

/**
 * Changes the caller's status; fields that aren't sent stay. `away` turns off the setting `presence_enabled`. Throws
 * BAD_REQUEST for bots, without any field, and for an unknown emoji.
 */
export const handleUpdateStatus: Handler<typeof endpoints.users.updateStatus, Context> = async ({
  input,
  caller,
  context,
  requestId,
  log,
}) => {
  if (caller.isBot) throw badRequest('Bots have no status')
  const { away } = input
  const realm = await getRealm(context, caller.realmId)
  const change = chosenStatus(realm, input)
  if (away === undefined && Object.keys(change).length === 0)
    throw badRequest('Client did not pass any new values.')

  const settings = await context.transact(async (tx) => {
    const own = await lockOwnAccount(tx, caller)
    const found = changesOf(own, { presence_enabled: away === undefined ? undefined : !away })
    if (found.length > 0) await changeSettings(tx, own, found, requestId)
    await saveAndPublishStatus(tx, own, change, requestId)
    return found
  })
  if (isPresenceChoice(settings)) await applyPresenceChoice({ caller, context, requestId, log })
  return {}
}

async function saveAndPublishStatus(
  tx: PrismaTx,
  { id, realmId }: Account,
  change: StatusChange,
  requestId: string,
): Promise<void> {
  const before = await findStatus(tx, realmId, id)
  const changed = changeStatus(before?.status ?? {}, change)
  if (!changed) return
  await saveStatus(tx, id, changed.after)
  await publish(
    tx,
    domainEvents.users.userStatusUpdated,
    { user_id: id, change: changed.effective },
    { realmId, requestId },
  )
}
