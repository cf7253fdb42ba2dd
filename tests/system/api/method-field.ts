import { endpoints } from '@tms/contracts'
import { type Answer, type ApiClient, answerOf, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { onePixel } from '../support/pictures.ts'
import { newUsers } from '../support/users-and-channels.ts'

const WORDS = '/users/me/alert_words'
const { addAlertWords, listAlertWords, uploadOwnAvatar } = endpoints.users

/** A POST whose form has a field `method`, for clients that support only GET and POST. */
export const methodFieldTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  beforeAll(async () => {
    ;[ann] = await newUsers(system(), 1)
  })
  const wordsOf = async () => (await ann.call(listAlertWords, {})).alert_words
  const multipart = async (path: string, fields: [string, string | Blob][]): Promise<Answer> => {
    const body = new FormData()
    for (const [name, value] of fields) body.append(name, value)
    return answerOf(await ann.fetch(`/api/v1${path}`, { method: 'POST', body }))
  }

  describe('a form with the field `method`', () => {
    test.each(['form-encoded', 'multipart'])('acts as that method, %s', async (encoding) => {
      await ann.call(addAlertWords, { alert_words: ['stay', 'go'] })
      const fields: [string, string][] = [
        ['alert_words', '["go"]'],
        ['method', 'DELETE'],
      ]
      const answer =
        encoding === 'multipart' ? await multipart(WORDS, fields) : await ann.request('POST', WORDS, fields)

      expect(answer).toMatchObject(success({ alert_words: ['stay'] }))
      expect(answer.body).not.toHaveProperty('ignored_parameters_unsupported')
      expect(await wordsOf()).toEqual(['stay'])
    })

    test('reaches endpoints on a path without POST', async () => {
      const answer = await ann.request('POST', '/settings', [
        ['method', 'PATCH'],
        ['high_contrast_mode', 'true'],
        ['zebra', '1'],
      ])

      expect(answer.body).toEqual({ result: 'success', msg: '', ignored_parameters_unsupported: ['zebra'] })
    })

    test('acts as GET with the parameters of its body', async () => {
      const queue = await registerQueue(ann, { event_types: ['alert_words'] })
      await ann.call(addAlertWords, { alert_words: ['heard'] })
      const poll = await ann.request('POST', `/events?queue_id=${queue.queueId}`, [
        ['method', 'GET'],
        ['last_event_id', '-1'],
      ])
      const user = await multipart(`/users/${ann.userId}`, [
        ['method', 'GET'],
        ['include_custom_profile_fields', 'true'],
      ])

      expect(poll).toMatchObject(success({ events: [expect.objectContaining({ type: 'alert_words' })] }))
      expect(user).toMatchObject(success({ user: expect.objectContaining({ profile_data: {} }) }))
      expect(user.body).not.toHaveProperty('ignored_parameters_unsupported')
    })

    test.each(['PUT', 'delete', '', 'HEAD', 'constructor'])(
      'with %j, which the path does not support, is answered with the allowed methods',
      async (method) => {
        const answer = await ann.request('POST', WORDS, [
          ['method', method],
          ['alert_words', '["never"]'],
        ])

        const allowed_methods = ['HEAD', 'GET', 'POST', 'DELETE']
        expect(answer).toMatchObject(refusal('METHOD_NOT_ALLOWED', { allowed_methods }, 405))
        expect(answer.headers.get('allow')).toBe(allowed_methods.join(', '))
        expect(await wordsOf()).not.toContain('never')
      },
    )

    test('requires permission for that method', async () => {
      const refused = await ann.request('POST', '/realm', [
        ['method', 'PATCH'],
        ['name', 'Mine'],
      ])
      const anonymous = await system().anonymous.request('POST', '/fetch_api_key', [['method', 'GET']])

      expect(refused).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
      expect(anonymous).toMatchObject(refusal('METHOD_NOT_ALLOWED', {}, 405))
    })

    test('with POST is a POST, and a field in the query is ignored', async () => {
      const post = await ann.request('POST', WORDS, [
        ['method', 'POST'],
        ['alert_words', '["posted"]'],
      ])
      const query = await ann.request('POST', `${WORDS}?method=DELETE`, [['alert_words', '["posted"]']])

      expect(post.body).not.toHaveProperty('ignored_parameters_unsupported')
      expect(query).toMatchObject(success({ ignored_parameters_unsupported: ['method'] }))
      expect(await wordsOf()).toContain('posted')
    })

    test('that comes late in a long form is rejected, and does not act as a POST', async () => {
      const words = JSON.stringify(Array.from({ length: 900 }, (_, i) => `long-word-number-${i}`))
      const late = await ann.request('POST', WORDS, [
        ['alert_words', words],
        ['padding', 'x'.repeat(400_000)],
        ['method', 'DELETE'],
      ])
      const early = await ann.request('POST', WORDS, [
        ['method', 'DELETE'],
        ['alert_words', words],
        ['padding', 'x'.repeat(500_000)],
      ])

      expect(late).toMatchObject(refusal('BAD_REQUEST', { msg: expect.stringMatching(/first 16 KiB/) }))
      expect(await wordsOf()).not.toContain('long-word-number-0')
      expect(early).toMatchObject(success())
    })

    test('beside a file works before the file, and is rejected after it', async () => {
      const file = new Blob([onePixel], { type: 'image/png' })
      const before = await multipart(uploadOwnAvatar.path, [
        ['method', 'DELETE'],
        ['file', file],
      ])
      const behind = await multipart(uploadOwnAvatar.path, [
        ['file', file],
        ['method', 'DELETE'],
      ])
      const inside = await multipart('/user_uploads', [
        ['file', new Blob(['\r\nContent-Disposition: form-data; name="method"\r\n\r\nDELETE\r\n'])],
      ])

      expect(before).toMatchObject(success({ avatar_url: expect.stringContaining('gravatar') }))
      expect(behind).toMatchObject(refusal('BAD_REQUEST'))
      const { user } = await ann.call(endpoints.users.getUser, {
        user_id: ann.userId,
        client_gravatar: false,
      })
      expect(user).toMatchObject({ avatar_url: expect.stringContaining('gravatar') })
      expect(inside).toMatchObject(success())
    })
  })
}
