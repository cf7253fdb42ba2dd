import { type AnyEndpoint, AppError, apiEndpoints } from '@tms/contracts'
import { decodePathField, decodeValue } from '@tms/service-kit'
import { type Answer, ApiClient, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleOf, validInput } from '../samples/all-samples.ts'
import type { Fields, SampleCaller } from '../samples/sample.ts'
import { createSampleObjects, type SampleObjects } from '../samples/sample-objects.ts'
import { faultsOf, refusal } from '../support/answers.ts'
import { callByGeneratedClient } from '../support/generated-client.ts'
import { newOrganization, type OtherOrganization } from '../support/other-organization.ts'
import { anyPicture } from '../support/pictures.ts'
import { sendRequest } from '../support/send-request.ts'
import { switchedOff } from '../support/switched-off.ts'

/** Values that break code that does not expect them. */
const NASTY: readonly string[] = [
  '',
  ' ',
  '\0',
  '"\\u0000"',
  '"\\ud800"',
  '["\\ud800"]',
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e400',
  'NaN',
  '2147483648',
  '9007199254740991',
  '9007199254740992',
  '9223372036854775808',
  '[]',
  '[null]',
  '[[]]',
  '[-1]',
  '[9007199254740991]',
  '["x"]',
  '[{}]',
  '{}',
  '{"__proto__":true}',
  '__proto__',
  "'; drop table messages; --",
  '%s%n%00',
  '🦉\u202e\u0301',
  '{"a":',
  'x'.repeat(5_000),
]
/** The same, too long for a URL. */
const LARGE: readonly string[] = [
  '['.repeat(10_000) + ']'.repeat(10_000),
  '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000),
  JSON.stringify(Array.from({ length: 10_000 }, (_, i) => i - 5_000)),
  JSON.stringify(Array.from({ length: 10_000 }, () => 'x')),
  '🦉'.repeat(11_000),
]
const AT_ONCE = 8

interface Attempt {
  readonly name: string
  readonly value: string
}

/**
 * How the code that reads requests in all services refuses a value, before an endpoint sees it; null if it accepts the value. Throws
 * any other error.
 */
function refusalOf({ pathParameters, parameters }: AnyEndpoint, { name, value }: Attempt): AppError | null {
  const inPath = pathParameters[name]
  const parameter =
    parameters[name] ?? Object.values(parameters).find(({ aliases }) => aliases.includes(name))
  try {
    if (inPath) decodePathField(name, value, inPath)
    else if (parameter) decodeValue(name, value, parameter)
    return null
  } catch (err) {
    if (err instanceof AppError) return err
    throw new Error(`${name}=${value.slice(0, 40)} is not refused as it should be`, { cause: err })
  }
}

/** A number that is the same in each run. */
const numberOf = (text: string): number =>
  [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_003, 0)

/**
 * The values to send: all in the path, which is routed by them, all that reach the endpoint, and for each parameter one of the
 * others. Of all values for all parameters, four of five are refused by their type, by the same code for every endpoint.
 */
function attemptsOf(endpoint: AnyEndpoint, names: readonly string[]): Attempt[] {
  const values = endpoint.method === 'GET' ? NASTY : [...NASTY, ...LARGE]
  return names.flatMap((name) => {
    // Without the segment it is the path of another endpoint, and a URL cannot be so large.
    if (name in endpoint.pathParameters)
      return NASTY.filter((value) => value !== '').map((value) => ({ name, value }))
    const accepted: Attempt[] = []
    const refused: Attempt[] = []
    for (const value of values) {
      const attempt = { name, value }
      const refusal = refusalOf(endpoint, attempt)
      ;(refusal ? refused : accepted).push(attempt)
      if (refusal) expect([refusal.status, refusal.message]).toEqual([400, expect.stringMatching(/^[^\n]+$/)])
    }
    const one = refused[numberOf(`${endpoint.method} ${endpoint.path} ${name}`) % Math.max(1, refused.length)]
    return one ? [...accepted, one] : accepted
  })
}

export const everyEndpointTests = (system: () => TestSystem): void => {
  let objects: SampleObjects
  beforeAll(async () => {
    objects = await createSampleObjects(system())
  })

  let ending: OtherOrganization
  const callers: Readonly<Record<SampleCaller, () => ApiClient | Promise<ApiClient>>> = {
    bot: () => objects.bot,
    'new user': () => system().createUser(),
    'owner of a new organization': () => ending.owner,
  }
  const callerOf = async (endpoint: AnyEndpoint): Promise<ApiClient> => {
    const { caller } = sampleOf(endpoint)
    return caller ? callers[caller]() : system().owner
  }
  /** For calls that fail, so that nobody ends. */
  const lastingCallerOf = (endpoint: AnyEndpoint): ApiClient =>
    sampleOf(endpoint).caller === 'bot' ? objects.bot : system().owner
  const inputOf = (endpoint: AnyEndpoint): Promise<Fields> => validInput(endpoint, objects)
  /** The faults of a response; a file may have any content, and redirects any target. */
  const faultsIn = (endpoint: AnyEndpoint, answer: Answer): string[] =>
    endpoint.answer !== 'envelope' && answer.status < 400 ? [] : faultsOf(answer)

  describe.each(apiEndpoints.map((endpoint) => ({ endpoint, title: `${endpoint.method} ${endpoint.path}` })))(
    '$title',
    ({ endpoint }) => {
      const { caller, restore } = sampleOf(endpoint)
      if (restore) afterAll(() => restore(objects))

      if (caller === 'owner of a new organization') {
        beforeAll(async () => {
          ending = await newOrganization(system())
        })
        afterAll(() => ending.reactivate())
      }

      test('answers as declared, to the client that is generated from the documents', async () => {
        const file = new File([anyPicture.content], anyPicture.name, anyPicture)
        const answer = await callByGeneratedClient(
          await callerOf(endpoint),
          endpoint,
          await inputOf(endpoint),
          file,
        )

        expect(faultsIn(endpoint, answer)).toEqual([])
        if (switchedOff.includes(endpoint.name)) {
          const { code } = answer.body as { readonly code?: string }
          expect(['BAD_REQUEST', 'PUSH_SERVICE_NOT_CONFIGURED']).toContain(code)
          return
        }
        expect(answer.status).toBe(endpoint.answer === 'redirect' ? 302 : 200)
        expect(endpoint.response.safeParse(answer.body).error?.issues ?? []).toEqual([])
      })

      if (endpoint.auth !== 'public') {
        test('rejects missing and wrong credentials', async () => {
          const { baseUrl, anonymous, owner } = system()
          const claiming = (email: string, apiKey: string) =>
            new ApiClient(baseUrl, { userId: 0, email, apiKey })
          const sample = await inputOf(endpoint)
          for (const client of [
            anonymous,
            claiming(owner.email, 'w'.repeat(32)),
            claiming(owner.email, ''),
            claiming('nobody@example.com', owner.account?.apiKey ?? ''),
          ])
            expect(await sendRequest(client, endpoint, sample)).toMatchObject(
              refusal('UNAUTHORIZED', {}, 401),
            )
        })
      }

      if (endpoint.auth === 'administrator' || endpoint.auth === 'owner') {
        test('rejects members', async () => {
          expect(await sendRequest(objects.member, endpoint, await inputOf(endpoint))).toMatchObject(
            refusal('UNAUTHORIZED_PRINCIPAL'),
          )
        })
      }

      const required = Object.entries(endpoint.parameters).filter(([, parameter]) => parameter.required)
      if (required.length > 0) {
        test('names the missing parameter', async () => {
          for (const [name] of required) {
            const { [name]: _, ...others } = await inputOf(endpoint)

            expect(await sendRequest(lastingCallerOf(endpoint), endpoint, others)).toMatchObject(
              refusal('REQUEST_VARIABLE_MISSING', { var_name: name }),
            )
          }
        })
      }

      const names = [
        ...Object.keys(endpoint.pathParameters),
        ...Object.entries(endpoint.parameters).flatMap(([name, { aliases }]) => [name, ...aliases]),
      ]
      if (names.length > 0) {
        test('accepts or rejects any JSON input', async () => {
          const isEnding = caller === 'owner of a new organization'
          const lastingCaller = isEnding ? ending.owner : lastingCallerOf(endpoint)
          if (isEnding) await ending.reactivate()
          const sample = await inputOf(endpoint)
          const attempts = attemptsOf(endpoint, names)
          const faults: string[] = []
          const work = async () => {
            for (let attempt = attempts.pop(); attempt; attempt = attempts.pop()) {
              const { name, value } = attempt
              const answer = await sendRequest(lastingCaller, endpoint, { ...sample, [name]: value })
              if (isEnding && answer.status === 200) await ending.reactivate()
              const found = faultsIn(endpoint, answer)
              const parsed = endpoint.response.safeParse(answer.body)
              if (answer.status === 200 && !parsed.success)
                found.push(`not as declared: ${parsed.error.issues[0]?.path.join('.')}`)
              faults.push(...found.map((fault) => `${name}=${value.slice(0, 40)}: ${fault}`))
            }
          }
          await Promise.all(Array.from({ length: AT_ONCE }, work))

          expect(faults).toEqual([])
        })
      }
    },
  )
}
