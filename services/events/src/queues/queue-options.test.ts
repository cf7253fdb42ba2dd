import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { queueOptionsOf, shouldReadDefaults } from './queue-options.ts'

const defaults = { sending_stream_id: 5, events_register_stream_id: 7, all_public_streams: true }
const none = { sending_stream_id: null, events_register_stream_id: null, all_public_streams: false }

describe('parameters that a bot omits at register', () => {
  test('have the bot’s defaults', () => {
    expect(queueOptionsOf({}, Role.member, defaults)).toMatchObject({
      narrow: [['channel_id', '7']],
      allPublicStreams: true,
    })
    expect(queueOptionsOf({ narrow: [] }, Role.member, defaults)).toMatchObject({
      narrow: [['channel_id', '7']],
    })
  })

  test('have the general defaults if the bot has none', () => {
    for (const options of [queueOptionsOf({}, Role.member), queueOptionsOf({}, Role.member, none)]) {
      expect(options).toMatchObject({ narrow: [], allPublicStreams: false })
    }
  })

  test('have no effect if the bot sends them', () => {
    const explicit = { narrow: [['topic', 'x']], all_public_streams: false }

    expect(queueOptionsOf(explicit, Role.member, defaults)).toMatchObject({
      narrow: [['topic', 'x']],
      allPublicStreams: false,
    })
    expect(shouldReadDefaults(explicit)).toBe(false)
    expect([{}, { narrow: [] }, { ...explicit, narrow: [] }].every(shouldReadDefaults)).toBe(true)
  })

  test('are limited to what a guest may have', () => {
    expect(queueOptionsOf({}, Role.guest, defaults).allPublicStreams).toBe(false)
    expect(() => queueOptionsOf({ all_public_streams: true }, Role.guest, none)).toThrow()
  })
})
