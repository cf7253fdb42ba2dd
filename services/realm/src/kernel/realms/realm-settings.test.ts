import { describe, expect, test } from 'vitest'
import { realmSettings } from './realm-settings.ts'

describe('realmSettings', () => {
  test('uses the documented defaults for settings that are not stored', () => {
    expect(realmSettings.parse({ org_type: 20 })).toMatchObject({
      org_type: 20,
      message_content_edit_limit_seconds: 600,
      move_messages_within_stream_limit_seconds: 604_800,
      message_retention_days: -1,
      digest_weekday: 1,
      invite_required: true,
      require_unique_names: false,
    })
  })

  test('keeps an unlimited time as null', () => {
    const settings = realmSettings.parse({ message_content_edit_limit_seconds: null })

    expect(settings.message_content_edit_limit_seconds).toBeNull()
  })

  test('rejects an invalid value', () => {
    expect(realmSettings.safeParse({ org_type: 9 }).success).toBe(false)
  })
})
