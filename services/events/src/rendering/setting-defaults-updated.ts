import { domainEvents } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'

/** One `realm_user_settings_defaults` `update` per setting, to everyone. */
export const presentSettingDefaultsUpdated = present(domainEvents.users.settingDefaultsUpdated, {
  list: ({ changes }) => changes.map((_, index) => ({ index, type: 'realm_user_settings_defaults' })),
  write: ({ changes }, index) => {
    const { property, value } = changes[index] ?? {}
    return fieldsOf({ type: 'realm_user_settings_defaults', op: 'update', property, value })
  },
})
