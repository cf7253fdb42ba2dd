import { describe, expect, test } from 'vitest'
import { canReadFile, type FileAccess } from './file.rules.ts'

const nothing: FileAccess = {
  isOwner: false,
  isInPublicChannel: false,
  isInWebPublicChannel: false,
  isReceived: false,
  isInSharedHistory: false,
}
const readers = { owner: { role: 100 }, member: { role: 400 }, guest: { role: 600 }, nobody: { role: null } }

describe('canReadFile', () => {
  test.each<[string, Partial<FileAccess>, (keyof typeof readers)[]]>([
    ['in no message, of another', {}, []],
    ['their own', { isOwner: true }, ['owner', 'member', 'guest']],
    ['in a public channel', { isInPublicChannel: true }, ['owner', 'member']],
    [
      'in a web-public channel',
      { isInPublicChannel: true, isInWebPublicChannel: true },
      ['owner', 'member', 'guest', 'nobody'],
    ],
    ['in a message that they received', { isReceived: true }, ['owner', 'member', 'guest']],
    ['in a shared history', { isInSharedHistory: true }, ['owner', 'member', 'guest']],
  ])('%s: %j is read by %j', (_, projection, expected) => {
    const access = { ...nothing, ...projection }
    // Flags about a user are never set for an unauthenticated reader.
    const personal = projection.isOwner || projection.isReceived || projection.isInSharedHistory
    const allowed = Object.entries(readers)
      .filter(([name]) => !(personal && name === 'nobody'))
      .filter(([, reader]) => canReadFile(reader, access))
      .map(([name]) => name)

    expect(allowed).toEqual(expected)
  })

  test('nothing personal grants access to an unauthenticated reader', () => {
    const all = {
      ...nothing,
      isOwner: true,
      isInPublicChannel: true,
      isReceived: true,
      isInSharedHistory: true,
    }

    expect(canReadFile({ role: null }, all)).toBe(false)
  })
})
