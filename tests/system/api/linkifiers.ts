import { endpoints } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusal } from '../support/answers.ts'
import { newUsers } from '../support/users-and-channels.ts'

const {
  updateRealm,
  addLinkifier,
  listFilters,
  listLinkifiers,
  reorderLinkifiers,
  updateLinkifier,
  removeLinkifier,
} = endpoints.realm
const { renderMessage } = endpoints.messaging
const ISSUE = { pattern: 'ISSUE-(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' }

export const linkifierTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let member: ApiClient
  beforeAll(async () => {
    owner = system().owner
    ;[member] = await newUsers(system(), 1)
  })

  describe('linkifiers', () => {
    const clear = async () => {
      const { linkifiers } = await owner.call(listLinkifiers, {})
      for (const { id } of linkifiers) await owner.call(removeLinkifier, { filter_id: id })
    }
    beforeEach(clear)
    afterAll(clear)

    test('keep the order of their creation, or a requested one', async () => {
      const first = await owner.call(addLinkifier, ISSUE)
      const second = await owner.call(addLinkifier, {
        pattern: ' help ',
        url_template: ' https://help.example.com ',
      })

      const help = { pattern: 'help', url_template: 'https://help.example.com' }
      const list = async () => (await member.call(listLinkifiers, {})).linkifiers
      expect(await list()).toEqual([
        { id: first.id, ...ISSUE },
        { id: second.id, ...help },
      ])
      await owner.call(reorderLinkifiers, { ordered_linkifier_ids: [second.id, first.id] })
      await owner.call(updateLinkifier, { filter_id: first.id, ...ISSUE, url_template: 'https://e.com/{id}' })
      expect(await list()).toEqual([
        { id: second.id, ...help },
        { id: first.id, ...ISSUE, url_template: 'https://e.com/{id}' },
      ])
      await owner.call(removeLinkifier, { filter_id: second.id })
      expect(await list()).toHaveLength(1)
    })

    test('are listed for older clients as format strings, without those that cannot be expressed', async () => {
      const { id } = await owner.call(addLinkifier, ISSUE)
      await owner.call(addLinkifier, { pattern: '#(?P<q>[a-z]+)', url_template: 'https://e.com/{?q}' })

      expect((await member.call(listFilters, {})).filters).toEqual([
        [ISSUE.pattern, ISSUE.url_template.replace('{id}', '%(id)s'), id],
      ])
    })

    test('create links in messages', async () => {
      await owner.call(addLinkifier, ISSUE)

      const { rendered } = await member.call(renderMessage, { content: 'see ISSUE-12' })
      expect(rendered).toContain('<a href="https://issues.example.com/12">ISSUE-12</a>')
    })

    test('are delivered in full to clients that support URL templates', async () => {
      const able = { notification_settings_null: true, linkifier_url_template: true }
      const types = ['realm_linkifiers', 'realm_filters', 'realm']
      const queue = await registerQueue(member, { event_types: types, client_capabilities: able })
      const old = await registerQueue(member, { event_types: types })
      const { id } = await owner.call(addLinkifier, ISSUE)
      await owner.call(updateRealm, { description: `has linkifier ${id}` })

      const realm_linkifiers = [{ id, ...ISSUE }]
      expect(await queue.waitFor(({ type }) => type === 'realm_linkifiers')).toMatchObject({
        realm_linkifiers,
      })
      expect(await old.waitFor(() => true)).toMatchObject({ type: 'realm', property: 'description' })
      const register = { fetch_event_types: ['realm_linkifiers', 'realm_filters'] }
      expect(await registerQueue(member, { ...register, client_capabilities: able })).toMatchObject({
        state: { realm_linkifiers, realm_filters: [] },
      })
      expect(await registerQueue(member, register)).toMatchObject({ state: { realm_linkifiers: [] } })
      await queue.stop()
      await old.stop()
    })

    test.each([
      ['a blank pattern', { pattern: ' ', url_template: 'https://e.com' }, 'pattern'],
      ['a blank template', { pattern: 'x', url_template: ' ' }, 'url_template'],
      ['a template that is none', { pattern: 'x', url_template: 'https://e.com/{' }, 'url_template'],
      ['look-around', { pattern: 'a(?=b)', url_template: 'https://e.com' }, '__all__'],
      ['a group without its variable', { pattern: '(?P<id>x)', url_template: 'https://e.com' }, '__all__'],
      ['a variable without its group', { pattern: 'x', url_template: 'https://e.com/{id}' }, '__all__'],
      ['a pattern that there is', ISSUE, '__all__'],
    ])('reject %s, and name the error', async (_, linkifier, field) => {
      await owner.call(addLinkifier, ISSUE)
      const errors = { [field]: [expect.stringMatching(/./)] }
      const { id } = await owner.call(addLinkifier, { pattern: 'other', url_template: 'https://e.com' })

      expect(await owner.send(addLinkifier, linkifier)).toMatchObject(refusal('BAD_REQUEST', { errors }))
      expect(await owner.send(updateLinkifier, { filter_id: id, ...linkifier })).toMatchObject(
        refusal('BAD_REQUEST', { errors }),
      )
    })

    test('that do not exist cannot be changed, removed or reordered', async () => {
      const { id } = await owner.call(addLinkifier, ISSUE)
      for (const filter_id of [id + 1_000_000, Number.MAX_SAFE_INTEGER]) {
        expect(await owner.send(updateLinkifier, { filter_id, ...ISSUE })).toMatchObject(
          refusal('BAD_REQUEST'),
        )
        expect(await owner.send(removeLinkifier, { filter_id })).toMatchObject(refusal('BAD_REQUEST'))
      }
      for (const ordered_linkifier_ids of [[], [id, id], [id + 1], [id, id + 1]]) {
        expect(await owner.send(reorderLinkifiers, { ordered_linkifier_ids })).toMatchObject(
          refusal('BAD_REQUEST'),
        )
      }
    })

    test('that are added at once each get a position', async () => {
      await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          owner.call(addLinkifier, { pattern: `at-once-${i}`, url_template: 'https://e.com' }),
        ),
      )

      expect((await owner.call(listLinkifiers, {})).linkifiers).toHaveLength(10)
    })
  })
}
