import { domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { lockSettingDefaults, saveSettingDefaults } from '../kernel/settings/setting-defaults.queries.ts'
import { changesOfDefaults, withoutDefaults } from './setting-changes.rules.ts'

/** Changes the default settings of new accounts; publishes only what changed. */
export const handleUpdateSettingDefaults: Handler<
  typeof endpoints.users.updateSettingDefaults,
  Context
> = async ({ input, caller: { realmId }, context, requestId }) => {
  await context.transact(async (tx) => {
    const stored = await lockSettingDefaults(tx, realmId)
    const changes = changesOfDefaults(stored, input)
    if (changes.length === 0) return
    await saveSettingDefaults(tx, realmId, withoutDefaults(stored, changes))
    await publish(tx, domainEvents.users.settingDefaultsUpdated, { changes }, { realmId, requestId })
  })
  return {}
}
