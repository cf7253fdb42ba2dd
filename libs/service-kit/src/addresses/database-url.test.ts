import { describe, expect, test } from 'vitest'
import { findProblemOfDatabaseUrl, messageWithoutPassword, parseDatabaseUrl } from './database-url.ts'

describe("PostgreSQL's URL", () => {
  test.each([
    ['postgres://u:p@a/db', [['a', 5432]]],
    [
      'postgres://u:p@a:6432,b/db',
      [
        ['a', 6432],
        ['b', 5432],
      ],
    ],
    [
      'postgresql://u:p,q@a,b:1,c:2/db?x=1',
      [
        ['a', 5432],
        ['b', 1],
        ['c', 2],
      ],
    ],
    [
      'postgres://u:p@[::1]:5433,[fe80::2]/db',
      [
        ['::1', 5433],
        ['fe80::2', 5432],
      ],
    ],
    [
      'postgres://a,b',
      [
        ['a', 5432],
        ['b', 5432],
      ],
    ],
    ['postgres://u:p@q@a/db', [['a', 5432]]],
    ['postgres:///db?host=/run/postgresql', []],
  ])('names its servers, each with its port: %s', (url, hosts) => {
    expect(findProblemOfDatabaseUrl(url)).toBeNull()
    expect(parseDatabaseUrl(url).hosts.map(({ host, port }) => [host, port])).toEqual(hosts)
  })

  test('is split into one for each server, with all parameters', () => {
    const url = 'postgres://u:p%23@a,[::1]:5433/db?target_session_attrs=read-write&application_name=x'
    const { hosts, target, urlOf } = parseDatabaseUrl(url)
    expect(target).toBe('read-write')
    expect(hosts.map((host) => urlOf(host))).toEqual([
      'postgres://u:p%23@a:5432/db?application_name=x',
      'postgres://u:p%23@[::1]:5433/db?application_name=x',
    ])
    expect(urlOf()).toBe('postgres://u:p%23@a/db?application_name=x')
  })

  test.each([undefined, 'any', 'primary', 'read-write'])('requests its kind of sessions: %s', (target) => {
    const query = target === undefined ? '' : `?target_session_attrs=${target}`
    expect(parseDatabaseUrl(`postgres://a,b/db${query}`).target).toBe(target ?? 'any')
  })

  test.each(['standby', 'prefer-standby', 'read-only', 'master', ''])(
    'is rejected with unsupported sessions: %s',
    (target) => {
      expect(findProblemOfDatabaseUrl(`postgres://a,b/db?target_session_attrs=${target}`)).toBe(
        'has a target_session_attrs other than any, primary, read-write',
      )
    },
  )

  test.each([
    'nothing',
    'mysql://u:quite-secret@a/db',
    'postgres://u:quite-secret@a:port/db',
    'postgres://u:quite-secret@a:99999/db',
    'postgres://u:quite-secret@a:0/db',
    'postgres://u:quite-secret@a,,b/db',
    'postgres://u:quite-secret@a, b/db',
    'postgres://u:quite-secret@[::1/db',
    'postgres://u:quite#secret@a/db',
    'postgres://u:quite/secret@a/db',
    'postgres://u:1234/secret@a/db',
    'postgres://u:1234?secret@a/db',
    'postgres://u:quite-secret@a/b@c',
  ])('is rejected without quoting it if it is invalid: %s', (url) => {
    const problem = findProblemOfDatabaseUrl(url)
    expect(problem).toMatch(/^is no URL such as/)
    expect(problem).not.toMatch(/secret/)
    expect(() => parseDatabaseUrl(url)).toThrow(/^(?!.*secret)The URL of PostgreSQL is no URL/)
  })
})

describe('an error message', () => {
  test.each([
    ['postgres://u:quite%20secret@a/db', 'no user "u" with quite secret, nor quite%20secret'],
    ['postgres://u:1234/secret@a/db', 'database "1234/secret@a/db" does not exist'],
    ['postgres://u:quite-secret@a,b/db', 'Invalid URL: postgres://u:quite-secret@a,b/db'],
    ['postgres://u:p@quite-secret@a/db', 'ENOTFOUND p@quite-secret'],
  ])('has no password in it: %s', (url, message) => {
    expect(messageWithoutPassword(new Error(message), url)).toMatch(/\*\*\*/)
    expect(messageWithoutPassword(new Error(message), url)).not.toMatch(/secret/)
  })

  test('is unchanged if it has none', () => {
    expect(messageWithoutPassword(new Error('a:5432 is away'), 'postgres://u:x@a:5432/db')).toBe(
      'a:5432 is away',
    )
    expect(messageWithoutPassword('away', '')).toBe('away')
  })
})
