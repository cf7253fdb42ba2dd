import { clientCapabilities, type domainEvents, type PayloadOf, type QueueRecord } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import type { QueueState } from '../kernel/queue-state.ts'
import { toRenderedQueue } from './presentation.ts'
import { presentSettingsUpdated } from './settings-updated.ts'

type Payload = PayloadOf<typeof domainEvents.users.settingsUpdated>

const OWNER = 7
const payload = {
  user_id: OWNER,
  changes: [
    { property: 'enter_sends', value: true },
    { property: 'enable_sounds', value: false },
    { property: 'web_font_size_px', value: 16 },
    { property: 'default_language', value: 'de', language_name: 'German' },
    { property: 'timezone', value: 'Europe/Berlin' },
  ],
  projection: { user_id: OWNER, email: 'ann@example.com' } as Payload['projection'],
} satisfies Payload

const eventsFor = (userId: number, knowsSettingsObject: boolean): unknown[] => {
  const client_capabilities = clientCapabilities.parse({ user_settings_object: knowsSettingsObject })
  const record = { user_id: userId, client_capabilities } as QueueRecord
  const { list, write } = presentSettingsUpdated.presentation
  return list(payload, { record } as QueueState, new Map()).map(({ index, type }) => {
    const event = JSON.parse(`{${write(payload, index, toRenderedQueue(record), new Map())}}`) as {
      type: string
    }
    expect(event.type).toBe(type)
    return event
  })
}

const settings = payload.changes.map((change) => ({ type: 'user_settings', op: 'update', ...change }))
const user = 'ann@example.com'
const timeZone = {
  type: 'realm_user',
  op: 'update',
  person: { user_id: OWNER, email: user, timezone: 'Europe/Berlin' },
}

describe('changed settings', () => {
  test('are one event each for a client that supports the settings object', () => {
    expect(eventsFor(OWNER, true)).toEqual([...settings, timeZone])
  })

  test('are followed by their legacy events for a client that does not', () => {
    const display = { type: 'update_display_settings', user }
    expect(eventsFor(OWNER, false)).toEqual([
      settings[0],
      { ...display, setting_name: 'enter_sends', setting: true },
      settings[1],
      { type: 'update_global_notifications', user, notification_name: 'enable_sounds', setting: false },
      settings[2],
      settings[3],
      { ...display, setting_name: 'default_language', setting: 'de', language_name: 'German' },
      settings[4],
      { ...display, setting_name: 'timezone', setting: 'Europe/Berlin' },
      timeZone,
    ])
  })

  test('are delivered to other users only if they change the time zone', () => {
    expect(eventsFor(OWNER + 1, false)).toEqual([timeZone])
  })
})
