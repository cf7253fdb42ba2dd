import { describe, expect, test } from 'vitest'
import { postgresUrl } from '../addresses/server-urls.ts'
import { accessDatabase } from './connection.ts'

const tls = { ca: ['authority'] }
const configOf = (url: string) => accessDatabase({ url, tls }).config

describe('a connection with PostgreSQL', () => {
  test.each(['postgres://u:p@db/x', 'postgres://u:p@db/x?sslmode=disable'])(
    'is unencrypted for %s',
    (url) => {
      expect(configOf(url)).toMatchObject({ connectionString: url })
      expect(configOf(url)).not.toHaveProperty('ssl')
    },
  )

  test('uses TLS if the URL requires it, to each of its hosts', () => {
    expect(configOf('postgres://u:p%23@db:5433,other/x?sslmode=verify-full&a=b')).toMatchObject({
      connectionString: 'postgres://u:p%23@db:5433/x?a=b',
      ssl: { ca: ['authority'] },
    })
  })

  test('does not change a URL that names certificate files', () => {
    const url = 'postgres://u:p@db/x?sslmode=verify-full&sslrootcert=/ca.pem'
    expect(configOf(url)).toMatchObject({ connectionString: url })
    expect(configOf(url)).not.toHaveProperty('ssl')
  })

  test('prefers the URL to the defaults', () => {
    const url = 'postgres://u:p@db/x?application_name=chat&options=-c%20statement_timeout%3D5'
    const { config, name } = accessDatabase({ url })
    expect(name).toBe('chat')
    expect(config.options).toMatch(/^-c jit=off -c statement_timeout=900000 .* -c statement_timeout=5$/)
    expect(config.connectionString).toBe('postgres://u:p@db/x')
  })

  test('is considered lost by both sides within the configured time', () => {
    const { bounds, config } = accessDatabase({ url: 'postgres://db/x', silenceSeconds: 25 })
    const { pingAfterMs, silenceMs, checkEveryMs, serverTimeoutMs, graceMs, keepAliveMs } = bounds
    expect(pingAfterMs + silenceMs + checkEveryMs + serverTimeoutMs + graceMs).toBeLessThanOrEqual(25_000)
    expect(keepAliveMs + 10_000).toBeLessThanOrEqual(25_000)
    const settings = Object.fromEntries(
      (config.options ?? '').split(/ ?-c /).map((setting) => setting.split('=')),
    )
    const of = (name: string) => Number(settings[name])
    const keepalive = of('tcp_keepalives_idle') + of('tcp_keepalives_interval') * of('tcp_keepalives_count')
    expect(keepalive + of('client_connection_check_interval') / 1_000).toBeLessThanOrEqual(25)
    expect(of('tcp_user_timeout') + of('client_connection_check_interval')).toBeLessThanOrEqual(25_000)
  })
})

describe("PostgreSQL's URL", () => {
  test.each(['allow', 'prefer', 'require', 'verify-ca', 'no-verify', 'x'])(
    'is rejected if certificates would not be verified properly: %s',
    (mode) => {
      const { error } = postgresUrl('It').safeParse(`postgres://u:p@db/x?sslmode=${mode}`)
      expect(error?.issues[0]?.message).toMatch(/verify-full/)
    },
  )

  test.each(['postgres://db/x', 'postgresql://a,b/x?sslmode=verify-full', 'postgres://db/x?sslmode=disable'])(
    'may be %s',
    (url) => {
      expect(postgresUrl('It').safeParse(url).success).toBe(true)
    },
  )
})
