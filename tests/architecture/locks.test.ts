import { describe, expect, test } from 'vitest'
import { listFiles, read } from './support/repository.ts'

/** Statements that wait for locks of no level, and why they need none. */
const WITHOUT_LEVEL: Readonly<Record<string, string>> = {
  'libs/service-kit/src/outbox/relay.queries.ts': 'the lease of the relay, the only lock of its transaction',
  'services/messaging/src/exports/expected-file.queries.ts': 'the only lock of its transaction',
  'services/messaging/src/exports/import-file.ts': 'the same lock, which it asks for',
  'services/messaging/src/flags/message-flags.queries.ts':
    "a user's own flags, the only lock of its transaction",
  'services/messaging/src/flags/publish-read-on-leave.queries.ts': 'only under the lock of the channel',
  'services/messaging/src/messages/groups/group-statement.queries.ts':
    'in one statement the levels of recipients and of what they have read, each in its order',
  'services/messaging/src/messages/store-statement.queries.ts': 'a recipient that its caller has named',
}

const WAITS = /\b(for (no key )?update|for share)\b(?![^;`']*skip locked)|\bpg_advisory_xact_lock/
const isSource = (path: string) => path.endsWith('.ts') && !path.endsWith('.test.ts')
const isDeclaration = (path: string) => /\/(kit-)?locks\.ts$/.test(path)
const sources = [...listFiles('libs/service-kit/src'), ...listFiles('services')].filter(isSource)

describe('locks', () => {
  test('have a level where a statement waits for them', () => {
    const waiting = sources.filter((path) => !isDeclaration(path) && WAITS.test(read(path)))
    expect(waiting.length).toBeGreaterThan(30)
    const unnamed = waiting.filter((path) => !read(path).includes('.lockRecord.add('))
    expect(unnamed.sort()).toEqual(Object.keys(WITHOUT_LEVEL).sort())
  })

  const declarations = sources.filter(isDeclaration)
  test.each(declarations)('of every level in %s are taken', (declaration) => {
    const owner = declaration.slice(0, declaration.indexOf('/src/'))
    const users = sources.filter((path) => path.startsWith(owner)).map(read)
    const levels = [...read(declaration).matchAll(/^ +(\w+): \{$/gm)].map(([, name]) => name)
    expect(levels).not.toEqual([])
    const isTaken = (level: string | undefined) =>
      users.some((text) => new RegExp(`[lL]ocks\\.${level}\\b`).test(text))
    expect(levels.filter((level) => !isTaken(level))).toEqual([])
  })
})
