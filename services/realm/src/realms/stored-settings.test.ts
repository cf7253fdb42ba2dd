import { describe, expect, test } from 'vitest'
import { changedSettings, showSettings } from './shown-settings.ts'
import { readSettings, toStoredSettings } from './stored-settings.ts'

const stored = {
  name: 'Acme',
  description: '',
  mandatoryTopics: false,
  waitingPeriodThreshold: 0,
  createPublicStreamPolicy: 1,
  createPrivateStreamPolicy: 1,
  createWebPublicStreamPolicy: 7,
  inviteToStreamPolicy: 1,
  wildcardMentionPolicy: 5,
  privateMessagePolicy: 1,
  settings: { edit_topic_policy: 2 },
  groupSettings: { can_create_private_channel_group: 140, direct_message_initiator_group: 3 },
}

describe('settings of an organization', () => {
  test('come back as they were stored', () => {
    expect(toStoredSettings(readSettings(stored))).toEqual(stored)
  })

  test('are stored without what is the default', () => {
    const settings = {
      ...readSettings(stored),
      edit_topic_policy: 5,
      message_content_edit_limit_seconds: null,
    }

    expect(toStoredSettings(settings).settings).toEqual({ message_content_edit_limit_seconds: null })
  })

  test('name the groups that were chosen, else those that their policies amount to', () => {
    expect(readSettings(stored)).toMatchObject({
      can_create_public_channel_group: 5,
      can_create_private_channel_group: 140,
      direct_message_initiator_group: 3,
      direct_message_permission_group: 6,
    })
  })

  test('go by a policy that a release without groups has changed', () => {
    expect(readSettings({ ...stored, createPrivateStreamPolicy: 2, privateMessagePolicy: 2 })).toMatchObject({
      can_create_private_channel_group: 2,
      direct_message_permission_group: 8,
    })
  })

  test('are read by a release without BigBlueButton as if calls were held with Jitsi', () => {
    const settings = { ...readSettings(stored), video_chat_provider: 4 as const }
    const kept = toStoredSettings(settings)

    expect(kept.settings).toEqual({ ...stored.settings, calls_with_big_blue_button: true })
    expect(readSettings({ ...stored, ...kept })).toEqual(settings)
  })

  test('say again what calls are held with once that is something else', () => {
    const before = readSettings({ ...stored, settings: { calls_with_big_blue_button: true } })

    expect(toStoredSettings({ ...before, video_chat_provider: 0 }).settings).toEqual({
      video_chat_provider: 0,
    })
    expect(toStoredSettings({ ...before, video_chat_provider: 1 }).settings).toEqual({})
  })

  test('that change are told', () => {
    const before = readSettings(stored)
    const after = { ...before, can_create_public_channel_group: 4, name: 'Acme' }

    expect(changedSettings(showSettings(before), showSettings(after))).toEqual({
      can_create_public_channel_group: 4,
    })
  })
})
