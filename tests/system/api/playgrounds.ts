import { endpoints, Role } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newUsers } from '../support/users-and-channels.ts'

const { addPlayground, listPlaygrounds, removePlayground } = endpoints.realm
const RUST = {
  name: 'Rust playground',
  highlighter_language: 'Rust',
  url_template: 'https://play.example.com/?code={code}',
}

export const playgroundTests = (system: () => TestSystem): void => {
  describe('code playgrounds', () => {
    let owner: ApiClient
    let member: ApiClient
    beforeAll(async () => {
      owner = system().owner
      ;[member] = await newUsers(system(), 1)
    })
    afterEach(async () => {
      const { playgrounds } = await owner.call(listPlaygrounds, {})
      for (const { id } of playgrounds) await owner.call(removePlayground, { playground_id: id })
    })
    const types = ['realm_playgrounds']
    const stateOf = async (client: ApiClient) =>
      (await registerQueue(client, { fetch_event_types: types })).state['realm_playgrounds']

    test('are listed, delivered and in the register state, with their language under both names', async () => {
      const queue = await registerQueue(member, { event_types: types, fetch_event_types: types })
      const { id } = await owner.call(addPlayground, RUST)

      const first = { id, ...RUST, pygments_language: 'Rust' }
      expect(await queue.waitFor(() => true)).toMatchObject({
        type: 'realm_playgrounds',
        realm_playgrounds: [first],
      })
      expect((await member.call(listPlaygrounds, {})).playgrounds).toEqual([first])
      expect(await stateOf(member)).toEqual([first])
      await owner.call(removePlayground, { playground_id: id })
      const isEmpty = (event: object) => JSON.stringify(event).includes('"realm_playgrounds":[]')
      await queue.waitFor(isEmpty, 'the removal')
      expect(await stateOf(member)).toEqual([])
      await queue.stop()
    })

    test('accept their language under the name that existing clients use', async () => {
      const { highlighter_language: language, ...others } = RUST
      const sent = Object.entries({ ...others, pygments_language: language })

      expect(await owner.request('POST', '/realm/playgrounds', sent)).toMatchObject(success())
      expect(
        await owner.request('POST', '/realm/playgrounds', [...sent, ['highlighter_language', 'Go']]),
      ).toMatchObject(
        refusal('REQUEST_CONFUSING_VAR', {
          var_name1: 'highlighter_language',
          var_name2: 'pygments_language',
        }),
      )
    })

    test.each([
      ['url_template', 'https://e.com/'],
      ['url_template', 'https://e.com/{code}/{other}'],
      ['url_template', 'https://e.com/{code'],
      ['highlighter_language', 'C$'],
      ['name', ' '],
    ])('with the %s %j are rejected, naming the field', async (field, value) => {
      expect(await owner.send(addPlayground, { ...RUST, [field]: value })).toMatchObject(
        refusal('BAD_REQUEST', { errors: { [field]: [expect.stringMatching(/./)] } }),
      )
      expect((await owner.call(listPlaygrounds, {})).playgrounds).toEqual([])
    })

    test('have unique names within a language, also when they are added at once', async () => {
      const answers = await Promise.all(Array.from({ length: 4 }, () => owner.send(addPlayground, RUST)))

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await owner.send(addPlayground, RUST)).toMatchObject(
        refusal('BAD_REQUEST', { errors: { __all__: [expect.stringMatching(/./)] } }),
      )
      expect(await owner.send(addPlayground, { ...RUST, highlighter_language: 'Go' })).toMatchObject(
        success(),
      )
    })

    test('that do not exist cannot be removed', async () => {
      for (const playground_id of [0, Number.MAX_SAFE_INTEGER])
        expect(await owner.send(removePlayground, { playground_id })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test.each([
      ['administrator', true],
      ['moderator', false],
      ['member', false],
      ['guest', false],
    ] as const)('are changed by a %s: %s', async (name, may) => {
      const client = await system().createUser(undefined, { role: Role[name] })
      const { id } = await owner.call(addPlayground, { ...RUST, name: 'Another' })

      const answers = [
        await client.send(addPlayground, RUST),
        await client.send(removePlayground, { playground_id: id }),
      ]
      for (const answer of answers)
        expect(answer).toMatchObject(may ? success() : refusal('UNAUTHORIZED_PRINCIPAL'))
      expect(await client.send(listPlaygrounds, {})).toMatchObject(success())
    })
  })
}
