import { describe, expect, test } from '@jest/globals'
import { postgresUrl } from '../server-urls.ts'
import { postgresConnection } from './connection.ts'

const tls = { ca: ['authority'] }

describe('a connection with PostgreSQL', () => {
  test.each(['postgres://u:p@db/x', 'postgres://u:p@db/x?sslmode=disable'])(
    'is in the clear for %s',
    (url) => {
      expect(postgresConnection(url, tls)).toEqual({ connectionString: url })
    },
  )

  test('is over TLS where the URL says so, to the host that it names', () => {
    expect(postgresConnection('postgres://u:p%23@db:5433/x?sslmode=verify-full&a=b', tls)).toEqual({
      connectionString: 'postgres://u:p%23@db:5433/x?a=b',
      ssl: { ca: ['authority'], servername: 'db', host: 'db' },
    })
    expect(postgresConnection('postgres://u:p@[::1]/x?sslmode=verify-full', tls).ssl).toEqual({
      ca: ['authority'],
      host: '::1',
    })
  })

  test('leaves a URL to the client that names files itself', () => {
    const url = 'postgres://u:p@db/x?sslmode=verify-full&sslrootcert=/ca.pem'
    expect(postgresConnection(url, tls)).toEqual({ connectionString: url })
  })
})

describe("PostgreSQL's URL", () => {
  test.each(['allow', 'prefer', 'require', 'verify-ca', 'no-verify', 'x'])(
    'is refused where certificates would not be looked at as they should: %s',
    (mode) => {
      const { error } = postgresUrl('It').safeParse(`postgres://u:p@db/x?sslmode=${mode}`)
      expect(error?.issues[0]?.message).toMatch(/verify-full/)
    },
  )

  test.each(['postgres://db/x', 'postgresql://db/x?sslmode=verify-full', 'postgres://db/x?sslmode=disable'])(
    'may be %s',
    (url) => {
      expect(postgresUrl('It').safeParse(url).success).toBe(true)
    },
  )
})
