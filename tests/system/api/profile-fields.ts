import { endpoints, Role } from '@tms/contracts'
import { type ApiClient, type ClientEvent, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newUserOfRole, newUsers } from '../support/users-and-channels.ts'
import { stopWatching, type Watcher, watch } from '../support/watch.ts'

const {
  createProfileField,
  listProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} = endpoints.realm
const { getOwnUser, getUser, listUsers, removeProfileData, updateProfileData, updateUser } = endpoints.users
type CustomField = { id: number; value: string | null; rendered_value?: string }
const color = { r: { text: 'Red', order: '1' }, b: { text: 'Blue', order: '2' } }

export const profileFieldTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let watcher: Watcher
  /** IDs of fields by name. */
  let ids: Readonly<Record<'town' | 'about' | 'color' | 'born' | 'site' | 'boss', number>>
  beforeAll(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
    watcher = await watch(ben, { event_types: ['realm_user', 'custom_profile_fields'] })
    ids = {
      town: await create({ name: 'Town', field_type: 1 }),
      about: await create({ name: 'About', field_type: 2 }),
      color: await create({ name: 'Color', field_type: 3, field_data: color }),
      born: await create({ name: 'Born', field_type: 4 }),
      site: await create({ name: 'Site', field_type: 5 }),
      boss: await create({ name: 'Boss', field_type: 6 }),
    }
  })
  afterAll(() => stopWatching([watcher]))

  const create = async (field: Parameters<typeof ann.call<typeof createProfileField>>[1]) =>
    (await system().owner.call(createProfileField, field)).id
  const fields = async () => (await ann.call(listProfileFields, {})).custom_fields
  const fill = (user: ApiClient, id: number, value: string | number[] | null) =>
    user.send(updateProfileData, { data: [{ id, value }] })
  const dataOf = async (user: ApiClient) => {
    const query = { user_id: user.userId, include_custom_profile_fields: true }
    return (await ben.call(getUser, query)).user.profile_data
  }
  const changesOf = (user: ApiClient, id: number): CustomField[] =>
    watcher.queue.events
      .map(({ person }) => person as { user_id: number; custom_profile_field?: CustomField } | undefined)
      .filter((person) => person?.user_id === user.userId && person.custom_profile_field?.id === id)
      .map((person) => person?.custom_profile_field as CustomField)

  describe('profile fields', () => {
    test('are listed in their order, delivered in full, and in the register state', async () => {
      const id = await create({
        name: ' GitHub ',
        field_type: 7,
        field_data: { subtype: 'github' },
        display_in_profile_summary: true,
      })
      const all = await fields()

      expect(all.find((field) => field.id === ids.color)).toEqual({
        id: ids.color,
        name: 'Color',
        type: 3,
        hint: '',
        field_data: JSON.stringify(color),
        order: expect.any(Number),
        required: false,
        editable_by_user: true,
      })
      expect(all.at(-1)).toMatchObject({
        id,
        name: 'GitHub username',
        field_data: '{"subtype":"github"}',
        display_in_profile_summary: true,
      })
      const isOfThis = ({ type, fields: eventFields }: ClientEvent) =>
        type === 'custom_profile_fields' && (eventFields as { id: number }[]).some((field) => field.id === id)
      const event = await watcher.queue.waitFor(isOfThis, 'the new field')
      expect(event['fields']).toEqual(all)
      const { state } = await registerQueue(ann, { fetch_event_types: ['custom_profile_fields'] })
      expect(state).toMatchObject({
        custom_profile_fields: all,
        custom_profile_field_types: { LONG_TEXT: { id: 2, name: expect.any(String) } },
      })
      await system().owner.call(removeProfileField, { field_id: id })
      expect((await fields()).map((field) => field.id)).not.toContain(id)
    })

    test('keep the values that a change leaves out', async () => {
      const { owner } = system()
      await owner.call(updateProfileField, { field_id: ids.town, hint: 'where you live', required: true })

      expect((await fields()).find(({ id }) => id === ids.town)).toMatchObject({
        name: 'Town',
        hint: 'where you live',
        required: true,
      })
      await owner.call(updateProfileField, { field_id: ids.town, hint: '', required: false })
    })

    test('for administrators to fill in are filled in by nobody else', async () => {
      const { owner } = system()
      const administrator = await newUserOfRole(system(), Role.administrator)
      const id = await create({ name: 'Badge', field_type: 1 })
      expect(await fill(ann, id, 'by herself')).toMatchObject(success())

      await owner.call(updateProfileField, { field_id: id, editable_by_user: false })
      expect((await fields()).find((field) => field.id === id)).toMatchObject({ editable_by_user: false })
      const isOfThis = ({ type, fields: eventFields }: ClientEvent) =>
        type === 'custom_profile_fields' &&
        (eventFields as { id: number; editable_by_user: boolean }[]).some(
          (field) => field.id === id && !field.editable_by_user,
        )
      await watcher.queue.waitFor(isOfThis, 'the changed field')

      for (const value of ['otherwise', null])
        expect(await fill(ann, id, value)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ann.send(removeProfileData, { data: [id] })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await dataOf(ann)).toMatchObject({ [id]: { value: 'by herself' } })
      expect(await fill(administrator, id, 'seven')).toMatchObject(success())
      const profile_data = [{ id, value: 'twelve' }]
      expect(await administrator.send(updateUser, { user_id: ann.userId, profile_data })).toMatchObject(
        success(),
      )
      expect(await dataOf(ann)).toMatchObject({ [id]: { value: 'twelve' } })
      await owner.call(removeProfileField, { field_id: id })
    })

    test('are reordered only all together', async () => {
      const { owner } = system()
      const order = (await fields()).map(({ id }) => id)

      await owner.call(reorderProfileFields, { order: order.toReversed() })
      expect((await fields()).map(({ id }) => id)).toEqual(order.toReversed())
      for (const wrong of [order.slice(1), [...order, order[0] ?? 0], [...order.slice(1), 999_999]])
        expect(await owner.send(reorderProfileFields, { order: wrong })).toMatchObject(refusal('BAD_REQUEST'))
      await owner.call(reorderProfileFields, { order })
    })

    test.each<[string, Record<string, string>]>([
      ['no name', { field_type: '1' }],
      ['a name that is taken', { field_type: '1', name: 'Town' }],
      ['an unknown type', { field_type: '9', name: 'x' }],
      ['a list without options', { field_type: '3', name: 'x', field_data: '{}' }],
      ['a long text in the summary', { field_type: '2', name: 'x', display_in_profile_summary: 'true' }],
    ])('reject %s', async (_, sent) => {
      const answer = await system().owner.request('POST', '/realm/profile_fields', Object.entries(sent))

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('with one name that are added at once are created once', async () => {
      const { owner } = system()
      const answers = await Promise.all(
        Array.from({ length: 3 }, () => owner.send(createProfileField, { name: 'Twin', field_type: 1 })),
      )

      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400])
      const twin = (await fields()).find(({ name }) => name === 'Twin')
      await owner.call(removeProfileField, { field_id: twin?.id ?? 0 })
      expect(await owner.send(removeProfileField, { field_id: twin?.id ?? 0 })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })

    test.each([
      [Role.owner, 200],
      [Role.administrator, 200],
      [Role.moderator, 400],
      [Role.member, 400],
      [Role.guest, 400],
    ])('are changed by administrators: role %i gets %i', async (role, status) => {
      const user = await newUserOfRole(system(), role)
      const field_id = await create({ name: `for ${role}`, field_type: 1 })

      const order = (await fields()).map(({ id }) => id)
      const answers = [
        await user.send(createProfileField, { name: `by ${role}`, field_type: 1 }),
        await user.send(updateProfileField, { field_id, hint: 'x' }),
        await user.send(reorderProfileFields, {
          order: status === 200 ? (await fields()).map(({ id }) => id) : order,
        }),
        await user.send(removeProfileField, { field_id }),
      ]
      for (const answer of answers)
        expect(answer).toMatchObject(status === 200 ? success() : refusal('UNAUTHORIZED_PRINCIPAL'))
      expect((await user.call(listProfileFields, {})).custom_fields.length).toBeGreaterThan(0)
      for (const { id, name } of await fields())
        if (name.endsWith(` ${role}`)) await system().owner.call(removeProfileField, { field_id: id })
    })
  })

  describe('profile values', () => {
    test('are in user records, texts with HTML, and delivered to everyone', async () => {
      await ann.call(updateProfileData, {
        data: [
          { id: ids.town, value: '*Rome*' },
          { id: ids.color, value: 'r' },
          { id: ids.born, value: '1990-02-28' },
          { id: ids.site, value: 'https://example.com' },
          { id: ids.boss, value: [ben.userId] },
        ],
      })

      const expected = {
        [ids.town]: { value: '*Rome*', rendered_value: '<p><em>Rome</em></p>' },
        [ids.color]: { value: 'r' },
        [ids.born]: { value: '1990-02-28' },
        [ids.site]: { value: 'https://example.com' },
        [ids.boss]: { value: `[${ben.userId}]` },
      }
      expect(await dataOf(ann)).toEqual(expected)
      expect((await ann.call(getOwnUser, {})).profile_data).toEqual(expected)
      const { members } = await ben.call(listUsers, { include_custom_profile_fields: true })
      expect(members.find(({ user_id }) => user_id === ann.userId)?.profile_data).toEqual(expected)
      const { state } = await registerQueue(ben, { fetch_event_types: ['realm_user'] })
      const registered = state['realm_users'] as { user_id: number; profile_data: unknown }[]
      expect(registered.find(({ user_id }) => user_id === ann.userId)?.profile_data).toEqual(expected)
      expect((await ben.call(getUser, { user_id: ann.userId })).user).not.toHaveProperty('profile_data')

      await watcher.queue.until(() => changesOf(ann, ids.boss).length === 1, 'the last field')
      expect(changesOf(ann, ids.town)).toEqual([
        { id: ids.town, value: '*Rome*', rendered_value: '<p><em>Rome</em></p>' },
      ])
      expect(changesOf(ann, ids.color)).toEqual([{ id: ids.color, value: 'r' }])
    })

    test('are removed, and delivered once', async () => {
      await ann.call(updateProfileData, { data: [{ id: ids.town, value: 'Rome' }] })
      await ann.call(removeProfileData, { data: [ids.town, ids.born] })
      await ann.call(removeProfileData, { data: [ids.town] })
      await fill(ann, ids.site, '')
      await fill(ann, ids.boss, [])

      expect(await dataOf(ann)).toEqual({ [ids.color]: { value: 'r' } })
      await watcher.queue.until(() => changesOf(ann, ids.boss).at(-1)?.value === null, 'the last field')
      expect(changesOf(ann, ids.town).filter(({ value }) => value === null)).toHaveLength(1)
    })

    test('are all valid or none is stored', async () => {
      const data = [
        { id: ids.about, value: 'fine' },
        { id: ids.born, value: 'yesterday' },
      ]
      expect(await ann.send(updateProfileData, { data })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await dataOf(ann)).not.toHaveProperty(String(ids.about))

      const { state } = await registerQueue(ann, { fetch_event_types: ['realm_user'] })
      const [bot] = state['cross_realm_bots'] as { user_id: number }[]
      for (const value of [[999_999], [bot?.user_id ?? 0], [2 ** 40], 'ben'])
        expect(await fill(ann, ids.boss, value)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await fill(ann, 999_999, 'x')).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ann.send(removeProfileData, { data: [999_999] })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('are both stored when two users change them at once', async () => {
      await Promise.all([
        fill(ann, ids.town, 'Oslo'),
        fill(ann, ids.about, 'about me'),
        fill(ann, ids.born, '2000-01-01'),
      ])

      expect(await dataOf(ann)).toMatchObject({
        [ids.town]: { value: 'Oslo' },
        [ids.about]: { value: 'about me' },
        [ids.born]: { value: '2000-01-01' },
      })
    })

    test.each(Object.entries(Role))('are available to every role, such as %s', async (_, role) => {
      const user = await newUserOfRole(system(), role)

      expect(await fill(user, ids.town, 'Bern')).toMatchObject(success())
      expect(await dataOf(user)).toMatchObject({ [ids.town]: { value: 'Bern' } })
    })

    test('are deleted with their option, which is delivered, and with their field', async () => {
      const { owner } = system()
      await fill(ann, ids.color, 'r')
      await fill(ben, ids.color, 'b')
      await owner.call(updateProfileField, { field_id: ids.color, field_data: { b: color.b } })

      expect(await dataOf(ann)).not.toHaveProperty(String(ids.color))
      await watcher.queue.until(() => changesOf(ann, ids.color).at(-1)?.value === null, 'the lost option')
      expect(await dataOf(ben)).toEqual({ [ids.color]: { value: 'b' } })
      expect(await fill(ann, ids.color, 'r')).toMatchObject(refusal('BAD_REQUEST'))

      await owner.call(removeProfileField, { field_id: ids.color })
      expect(await dataOf(ben)).toEqual({})
      expect(await fill(ann, ids.color, 'b')).toMatchObject(refusal('BAD_REQUEST'))
    })
  })
}
