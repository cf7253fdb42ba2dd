import { domainEvents, legacyTypeOf, type PayloadOf, type SettingChange } from '@tms/contracts'
import { type ClientEventRef, fieldsOf, present } from './presentation.ts'

type SettingsUpdated = PayloadOf<typeof domainEvents.users.settingsUpdated>

/** Client events that a change can become for a queue. */
const FORMS = ['user_settings', 'legacy', 'realm_user', 'user_status'] as const

/**
 * Each change is a `user_settings` `update` for its owner, followed by the legacy event for clients that don't support the
 * settings object. The time zone is also a `realm_user` `update` for everyone, and the presence setting a `user_status`.
 */
export const presentSettingsUpdated = present(domainEvents.users.settingsUpdated, {
  list: ({ user_id, changes }, { record }) => {
    const isOwn = record.user_id === user_id
    const shouldAddLegacy = isOwn && !record.client_capabilities.user_settings_object
    return changes.flatMap(({ property }, change) => {
      const legacyType = legacyTypeOf(property)
      const refs: ClientEventRef[] = []
      const add = (form: (typeof FORMS)[number], type: string) =>
        refs.push({ index: change * FORMS.length + FORMS.indexOf(form), type })
      if (isOwn) add('user_settings', 'user_settings')
      if (shouldAddLegacy && legacyType !== undefined) add('legacy', legacyType)
      if (property === 'timezone') add('realm_user', 'realm_user')
      if (property === 'presence_enabled') add('user_status', 'user_status')
      return refs
    })
  },
  write: ({ changes, projection }, index) => {
    const change = changes[Math.floor(index / FORMS.length)]
    const form = FORMS[index % FORMS.length]
    return change && form ? fieldsOf(writers[form](change, projection)) : ''
  },
})

type Writer = (change: SettingChange, projection: SettingsUpdated['projection']) => Record<string, unknown>

const writers: Readonly<Record<(typeof FORMS)[number], Writer>> = {
  user_settings: (change) => ({ type: 'user_settings', op: 'update', ...change }),
  legacy: ({ property, value, ...language }, { email }) => {
    const type = legacyTypeOf(property)
    const nameKey = type === 'update_display_settings' ? 'setting_name' : 'notification_name'
    return { type, user: email, [nameKey]: property, setting: value, ...language }
  },
  realm_user: ({ value }, { user_id, email }) => ({
    type: 'realm_user',
    op: 'update',
    person: { user_id, email, timezone: value },
  }),
  user_status: ({ value }, { user_id }) => ({ type: 'user_status', user_id, away: value === false }),
}

/** `realm_export_consent`. */
export const presentExportConsentChanged = present(domainEvents.users.exportConsentChanged, {
  list: () => [{ index: 0, type: 'realm_export_consent' }],
  write: ({ user_id, consented }) => fieldsOf({ type: 'realm_export_consent', user_id, consented }),
})
