import { describe, expect, test } from 'vitest'
import { services } from './support/repository.ts'

interface Schema {
  readonly shape: Readonly<Record<string, unknown>>
  pick(names: Readonly<Record<string, true>>): Schema
}
type Parse = (schema: Schema, environment: Readonly<Record<string, string>>) => Record<string, unknown>

const load = async <T>(path: string) => (await import(new URL(`../../${path}`, import.meta.url).href)) as T
const { parseEnvironment } = await load<{ parseEnvironment: Parse }>('libs/service-kit/dist/index.js')

/** The result, or the text of the error. */
function outcome(schema: Schema, environment: Readonly<Record<string, string>>): unknown {
  try {
    return parseEnvironment(schema, environment)
  } catch (err) {
    return (err as Error).message
  }
}

describe.each(services)('the variables of %s', (service) => {
  test('count as missing when they are empty, as Compose and the chart set them', async () => {
    const { configSchema } = await load<{ configSchema: Schema }>(`services/${service}/dist/config.js`)
    const others = Object.keys(configSchema.shape).filter((name) => {
      const alone = configSchema.pick({ [name]: true })
      const [absent, empty] = [outcome(alone, {}), outcome(alone, { [name]: '' })]
      return JSON.stringify(absent) !== JSON.stringify(empty)
    })
    expect(others).toEqual(service === 'messaging' ? ['WEBHOOK_RETRY_DELAYS'] : [])
  })
})

test('configuration errors are reported all at once, including conflicts between variables', async () => {
  const { configSchema } = await load<{ configSchema: Schema }>('services/users/dist/config.js')
  const wrong = {
    EXTERNAL_HOST: 'https://chat.example.com/',
    MAIL_URL: 'smtp:',
    UPLOADS_URL: 's3://',
    UPLOADS_S3_ACCESS_KEY_ID: 'key',
    SERVE_TLS: 'true',
    TLS_CERTIFICATE: '',
    MESSAGING_URL: 'messaging:8080',
  }
  const problems = `${outcome(configSchema, wrong)}`
  expect(problems.split('\n').map((line) => line.trim())).toEqual(
    expect.arrayContaining([
      'EXTERNAL_HOST is no host, nor host:port, such as chat.example.com or localhost:9991',
      'MAIL_URL names neither a host, such as smtp://host:port, nor a folder, such as file:///a/folder',
      'UPLOADS_URL names neither a folder, such as file:///a/folder, nor a bucket, such as s3://bucket',
      'UPLOADS_S3_ACCESS_KEY_ID needs UPLOADS_S3_SECRET_ACCESS_KEY',
      'SERVE_TLS needs TLS_CERTIFICATE and TLS_KEY',
      expect.stringMatching(/^MESSAGING_URL /),
      'JWT_PUBLIC_KEY is required',
    ]),
  )
})

describe('the host name that clients use', () => {
  const parse = async (host: string) => {
    const { configSchema } = await load<{ configSchema: Schema }>('services/realm/dist/config.js')
    return outcome(configSchema.pick({ EXTERNAL_HOST: true }), { EXTERNAL_HOST: host })
  }

  test.each(['chat.example.com', 'localhost:9991', '127.0.0.1:80', '[::1]:9991', 'Chat-2.example.com:8443'])(
    'may be %s',
    async (host) => expect(await parse(host)).toEqual({ EXTERNAL_HOST: host }),
  )
  test.each([
    'https://chat.example.com/',
    'chat example',
    'chat.example.com/',
    'chat..com',
    '-chat.com',
    'a:',
    ':80',
  ])('may not be %s', async (host) => expect(await parse(host)).toMatch(/EXTERNAL_HOST is no host/))
})
