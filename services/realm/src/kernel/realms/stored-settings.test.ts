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
  test('are the same after reading and storing them', () => {
    expect(toStoredSettings(readSettings(stored))).toEqual(stored)
  })

  test('are stored only if they differ from the defaults', () => {
    const settings = {
      ...readSettings(stored),
      edit_topic_policy: 5,
      message_content_edit_limit_seconds: null,
    }

    expect(toStoredSettings(settings).settings).toEqual({ message_content_edit_limit_seconds: null })
  })

  test('contain the stored groups, or those that correspond to the policies', () => {
    expect(readSettings(stored)).toMatchObject({
      can_create_public_channel_group: 5,
      can_create_private_channel_group: 140,
      direct_message_initiator_group: 3,
      direct_message_permission_group: 6,
    })
  })

  test('derive a group from its policy if the policy was changed alone', () => {
    expect(readSettings({ ...stored, createPrivateStreamPolicy: 2, privateMessagePolicy: 2 })).toMatchObject({
      can_create_private_channel_group: 2,
      direct_message_permission_group: 8,
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
    const after = { ...before, can_create_public_channel_group: 4, name: 'Acme' }

    expect(changedSettings(showSettings(before), showSettings(after))).toEqual({
      can_create_public_channel_group: 4,
    })
  })
})
