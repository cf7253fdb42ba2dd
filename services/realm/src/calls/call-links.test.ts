import { describe, expect, test } from 'vitest'
import { createCallLinks } from './call-links.ts'

const call = { realmId: 7, meetingId: 'tms-1', name: 'Über *das*', isVoiceOnly: true }
const links = createCallLinks('a secret')

describe('a link to a call', () => {
  test('identifies its call at every replica with the secret', () => {
    expect(createCallLinks('a secret').read(links.sign(call))).toEqual(call)
  })

  test('is invalid under another secret', () => {
    expect(createCallLinks('another secret').read(links.sign(call))).toBeNull()
  })

  test('is invalid if any part of it changes', () => {
    const text = links.sign(call)
    const [content = '', signature = ''] = text.split('.')
    const other = Buffer.from(JSON.stringify({ ...call, realmId: 8 })).toString('base64url')
    for (const wrong of [
      `${other}.${signature}`,
      `${content}.${'A'.repeat(43)}`,
      text.slice(0, -1),
      `${text}A`,
      content,
      '',
      '.',
    ])
      expect(links.read(wrong)).toBeNull()
  })
})
