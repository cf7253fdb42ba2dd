import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { needsDefaults, queueOptionsOf } from './queue-options.ts'

const defaults = { sending_stream_id: 5, events_register_stream_id: 7, all_public_streams: true }
const none = { sending_stream_id: null, events_register_stream_id: null, all_public_streams: false }

describe('what a bot leaves out at register', () => {
  test('is as its defaults say', () => {
    expect(queueOptionsOf({}, Role.member, defaults)).toMatchObject({
      narrow: [['channel_id', '7']],
      allPublicStreams: true,
    })
    expect(queueOptionsOf({ narrow: [] }, Role.member, defaults)).toMatchObject({
      narrow: [['channel_id', '7']],
    })
  })

  test('is nothing where there are none', () => {
    for (const options of [queueOptionsOf({}, Role.member), queueOptionsOf({}, Role.member, none)]) {
      expect(options).toMatchObject({ narrow: [], allPublicStreams: false })
    }
  })

  test('gives way to what it says', () => {
    const said = { narrow: [['topic', 'x']], all_public_streams: false }

    expect(queueOptionsOf(said, Role.member, defaults)).toMatchObject({
      narrow: [['topic', 'x']],
      allPublicStreams: false,
    })
    expect(needsDefaults(said)).toBe(false)
    expect([{}, { narrow: [] }, { ...said, narrow: [] }].every(needsDefaults)).toBe(true)
  })

  test('is no more than a guest may have', () => {
    expect(queueOptionsOf({}, Role.guest, defaults).allPublicStreams).toBe(false)
    expect(() => queueOptionsOf({ all_public_streams: true }, Role.guest, none)).toThrow()
  })
})
