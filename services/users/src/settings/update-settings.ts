import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { lockOwnAccount } from '../accounts/lock-own-account.ts'
import type { Context } from '../context.ts'
import { showPresenceChoice } from '../presence/tell-presence.ts'
import { changeSettings, isPresenceChoice } from './change-settings.ts'
import { changesOf } from './setting-changes.rules.ts'

/** Changes the caller's settings, all or none; only what takes another value is told. Throws BAD_REQUEST for bots. */
export const handleUpdateSettings: Handler<typeof endpoints.users.updateSettings, Context> = async ({
  input,
  caller,
  context,
  requestId,
  log,
}) => {
  if (caller.isBot) throw badRequest('Bots have no settings')
  const changes = await context.transact(async (tx) => {
    const own = await lockOwnAccount(tx, caller)
    const found = changesOf(own, input)
    if (found.length > 0) await changeSettings(tx, own, found, requestId)
    return found
  })
  if (isPresenceChoice(changes)) await showPresenceChoice({ caller, context, requestId, log })
  return {}
}
