import { describe, expect, test } from 'vitest'
import { changedSettings, showSettings } from './shown-settings.ts'
import { readSettings, toStoredSettings } from './stored-settings.ts'

const stored = {
  name: 'Acme',
  description: '',
  mandatoryTopics: false,
  waitingPeriodThreshold: 0,
  settings: { org_type: 20 },
  permissions: { can_create_private_channel_group: 140, direct_message_initiator_group: 3 },
}

describe('settings of an organization', () => {
  test('are the same after reading and storing them', () => {
    expect(toStoredSettings(readSettings(stored))).toEqual(stored)
  })

  test('follow what the previous release stored about the history of edits', () => {
    const read = (settings: object) => readSettings({ ...stored, settings })
    const of = (policy: string, isAllowed: boolean) => ({
      message_edit_history_visibility_policy: policy,
      allow_edit_history: isAllowed,
    })

    expect(read({ allow_edit_history: false })).toMatchObject(of('none', false))
    expect(read({ message_edit_history_visibility_policy: 'moves' })).toMatchObject(of('moves', true))
    expect(read({ message_edit_history_visibility_policy: 'none' })).toMatchObject(of('all', true))
  })

  test('are stored only if they differ from the defaults', () => {
    const settings = {
      ...readSettings(stored),
      org_type: 0 as const,
      message_content_edit_limit_seconds: null,
      direct_message_initiator_group: 6,
    }

    expect(toStoredSettings(settings).permissions).toEqual({ can_create_private_channel_group: 140 })
    expect(toStoredSettings(settings).settings).toEqual({ message_content_edit_limit_seconds: null })
  })

  test('contain the stored permissions, or those by default', () => {
    expect(readSettings(stored)).toMatchObject({
      can_create_public_channel_group: 5,
      can_create_private_channel_group: 140,
      direct_message_initiator_group: 3,
      direct_message_permission_group: 6,
    })
  })

  test('contain the provider of video calls unless it is the default', () => {
    const settings = { ...readSettings(stored), video_chat_provider: 4 as const }
    const { settings: saved } = toStoredSettings(settings)

    expect(saved).toEqual({ ...stored.settings, video_chat_provider: 4 })
    expect(readSettings({ ...stored, settings: saved })).toEqual(settings)
    expect(toStoredSettings({ ...settings, video_chat_provider: 1 }).settings).toEqual(stored.settings)
  })

  test('are published if they changed', () => {
    const before = readSettings(stored)
    const can_create_private_channel_group = { direct_members: [7], direct_subgroups: [140] }
    const after = {
      ...before,
      can_create_public_channel_group: 3,
      can_create_private_channel_group,
      name: 'Acme',
    }

    const showing = { available: ['Email' as const], hiddenMemberIds: [] }
    expect(changedSettings(showSettings(before, showing), showSettings(after, showing))).toEqual({
      can_create_public_channel_group: 3,
      create_public_stream_policy: 4,
      can_create_private_channel_group,
    })
  })
})
