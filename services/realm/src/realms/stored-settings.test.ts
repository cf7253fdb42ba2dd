import { describe, expect, test } from '@jest/globals'
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

  test('that change also change the groups that say the same', () => {
    const before = readSettings(stored)
    const after = { ...before, create_public_stream_policy: 2, name: 'Acme' }

    expect(changedSettings(showSettings(before), showSettings(after))).toEqual({
      create_public_stream_policy: 2,
      can_create_public_channel_group: 2,
    })
  })
})
