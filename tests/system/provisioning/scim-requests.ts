import { endpoints } from '@tms/contracts'
import type { TestOrganization, TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { newGroupName } from '../support/groups.ts'
import {
  addPerson,
  asOkta,
  findBy,
  GROUP,
  type Json,
  LIST,
  newPerson,
  operations,
  type Provision,
  provisioningBy,
  provisioningOf,
  USER,
} from '../support/provisioning.ts'

const { createBot, createScimToken, getOwnUser } = endpoints.users

/** Lists, and requests that are made to do harm. `systems` are two organizations. */
export const scimRequestTests = (
  systems: () => { readonly product: TestSystem; readonly other: TestOrganization },
): void => {
  let product: TestSystem
  let other: TestOrganization
  let provision: Provision
  let provisionOther: Provision
  beforeAll(async () => {
    ;({ product, other } = systems())
    provision = await provisioningOf(product)
    provisionOther = await provisioningOf(other)
  })
  const find = (filter: string, kind = 'Users', by = provision) => findBy(by, filter, kind)

  describe('a list', () => {
    test('is answered by parts, without repetition', async () => {
      for (let i = 0; i < 3; i++) await addPerson(provision)
      const all = (await provision('GET', '/Users?count=500')).body
      const total = Number(all['totalResults'])
      const ids: unknown[] = []
      for (let startIndex = 1; startIndex <= total; startIndex += 2) {
        const { body } = await provision('GET', `/Users?startIndex=${startIndex}&count=2`)
        expect(body).toMatchObject({ totalResults: total, startIndex })
        ids.push(...(body['Resources'] as Json[]).map(({ id }) => id))
      }

      expect(ids).toEqual((all['Resources'] as Json[]).map(({ id }) => id))
      expect(new Set(ids).size).toBe(total)
      expect((await provision('GET', '/Users?count=0')).body).toMatchObject({
        totalResults: total,
        Resources: [],
      })
      expect((await provision('GET', `/Users?startIndex=${total + 1}`)).body['Resources']).toEqual([])
      const filtered = await provision('GET', '/Users?filter=active%20eq%20true&startIndex=2&count=1')
      expect(filtered.body['Resources']).toHaveLength(1)
    })

    test('has people, and no bots', async () => {
      const bot = await product.owner.call(createBot, { full_name: 'A listed bot', short_name: 'listed-bot' })

      expect((await provision('GET', `/Users/${bot.user_id}`)).status).toBe(404)
      expect(await find('displayName eq "A listed bot"')).toEqual([])
      const off = operations({ op: 'replace', value: { active: false } })
      expect((await provision('PATCH', `/Users/${bot.user_id}`, off)).status).toBe(404)
    })

    test('is also searched by POST, and has the attributes that were asked for', async () => {
      const { id, email } = await addPerson(provision)
      const { status, body } = await provision('POST', '/Users/.search', {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
        filter: `userName eq "${email}"`,
        attributes: ['displayName', 'emails.value'],
        count: 5,
      })

      expect({ status, body }).toEqual({
        status: 200,
        body: {
          schemas: [LIST],
          ...{ totalResults: 1, startIndex: 1, itemsPerPage: 1 },
          Resources: [{ schemas: [USER], id, displayName: expect.any(String), emails: [{ value: email }] }],
        },
      })
    })
  })

  describe('the service says of itself', () => {
    test('what it can do', async () => {
      const { body } = await provision('GET', '/ServiceProviderConfig')
      expect(body).toMatchObject({
        patch: { supported: true },
        bulk: { supported: false },
        filter: { maxResults: 500 },
      })
      expect((await provision('GET', '/ResourceTypes')).body).toMatchObject({ totalResults: 2 })
      expect((await provision('GET', '/ResourceTypes/User')).body).toMatchObject({
        endpoint: '/Users',
        schema: USER,
      })
      expect((await provision('GET', `/Schemas/${GROUP}`)).body).toMatchObject({ id: GROUP, name: 'Group' })
      expect((await provision('GET', '/Schemas')).body['Resources']).toHaveLength(2)
    })

    test.each([
      ['GET', '/Bulk', 501],
      ['GET', '/Me', 501],
      ['POST', '/.search', 501],
      ['GET', '/Nothing', 404],
      ['GET', '/Schemas/urn:none', 404],
      ['GET', '/Users/1/more', 404],
      ['DELETE', '/Users', 405],
      ['POST', '/Users/5', 405],
    ])('that %s %s is not there', async (method, path, status) => {
      expect((await provision(method, path, method === 'POST' ? {} : undefined)).status).toBe(status)
    })
  })

  describe('a hostile request', () => {
    test('for people and groups of another organization finds none', async () => {
      const name = newGroupName()
      const person = await product.createUser('Somebody Here')
      const { body: group } = await provision('POST', '/Groups', { displayName: name })
      const paths = [`/Users/${person.userId}`, `/Groups/${group['id']}`]
      for (const path of paths) {
        expect((await provisionOther('GET', path)).status).toBe(404)
        expect((await provisionOther('DELETE', path)).status).toBe(404)
        expect((await provisionOther('PUT', path, asOkta(newPerson()))).status).toBe(404)
        expect(
          (
            await provisionOther(
              'PATCH',
              path,
              operations({ op: 'replace', value: { displayName: 'Taken' } }),
            )
          ).status,
        ).toBe(404)
      }
      expect(await find(`userName eq "${person.email}"`, 'Users', provisionOther)).toEqual([])
      expect(await find(`displayName eq "${name}"`, 'Groups', provisionOther)).toEqual([])
      expect(await person.call(getOwnUser, {})).toMatchObject({ full_name: 'Somebody Here' })
    })

    test('at the same time as another makes one account, and one group', async () => {
      const person = asOkta(newPerson())
      const group = { displayName: newGroupName() }
      const sameName = [1, 2].map((n) => asOkta(newPerson(), { userName: 'one-name', externalId: String(n) }))
      const twice = async (path: string, bodies: unknown[]) =>
        (await Promise.all(bodies.map((body) => provision('POST', path, body))))
          .map(({ status }) => status)
          .sort((a, b) => a - b)

      expect(await twice('/Users', [person, person])).toEqual([201, 409])
      expect(await twice('/Groups', [group, group])).toEqual([201, 409])
      expect(await twice('/Users', sameName)).toEqual([201, 409])
    })

    test('for an address in use, in any case, is a conflict', async () => {
      const [one, two] = [await addPerson(provision), await addPerson(provision)]
      const user = asOkta({ email: one.email.toUpperCase(), fullName: 'Two Persons' })

      const answers = [
        await provision('POST', '/Users', user),
        await provision('PUT', `/Users/${two.id}`, user),
        await provision(
          'PATCH',
          `/Users/${two.id}`,
          operations({ op: 'replace', path: 'userName', value: one.email }),
        ),
      ]

      for (const { status, body } of answers)
        expect({ status, scimType: body['scimType'] }).toEqual({ status: 409, scimType: 'uniqueness' })
    })

    test.each<[string, string, string, unknown, number]>([
      ['without a body', 'POST', '/Users', '', 400],
      ['with half a body', 'POST', '/Users', '{"userName":', 400],
      ['with a list', 'POST', '/Users', [], 400],
      ['with nested lists', 'POST', '/Users', `{"userName":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 400],
      ['with nested objects', 'POST', '/Users', `${'{"name":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 400],
      ['with NUL', 'POST', '/Users', asOkta({ email: 'nul@x.example', fullName: 'Nul \0 Nul' }), 400],
      ['with half a character', 'POST', '/Users', '{"userName":"a@x.example","displayName":"x\\ud800"}', 400],
      ['with a prototype', 'POST', '/Users', '{"__proto__":{"userName":"a@x.example"}}', 400],
      ['with an empty object', 'POST', '/Users', {}, 400],
      ['with wrong types', 'POST', '/Users', { userName: 5, emails: 'x', active: {} }, 400],
      [
        'with other wrong types',
        'POST',
        '/Users',
        { userName: 'a@x.example', name: [], displayName: 'Aa' },
        400,
      ],
      [
        'with a huge name',
        'POST',
        '/Users',
        { userName: `${'a'.repeat(1_000)}@x.example`, displayName: 'Aa' },
        400,
      ],
      ['with a bad name', 'POST', '/Users', { userName: 'a@x.example', displayName: '**x**' }, 400],
      ['with no address', 'POST', '/Users', { userName: 'ann', displayName: 'Ann Lee' }, 400],
      ['for an inactive account', 'POST', '/Users', asOkta(newPerson(), { active: false }), 400],
      ['with a huge ID', 'GET', '/Users/99999999999999999999', undefined, 404],
      ['with a large ID', 'GET', '/Groups/4294967296', undefined, 404],
      ['with a text as ID', 'GET', "/Users/1'%20or%20'1'='1", undefined, 404],
      ['with a bad filter', 'GET', '/Users?filter=userName%20eq', undefined, 400],
      ['with a nested filter', 'GET', `/Users?filter=${'('.repeat(2_000)}`, undefined, 400],
      ['with NUL in a filter', 'GET', '/Users?filter=userName%20eq%20%22%5Cu0000%22', undefined, 400],
      [
        'with an injected filter',
        'GET',
        "/Users?filter=userName%20eq%20%22x'%20or%201=1%20--%22",
        undefined,
        200,
      ],
      ['with a bad count', 'GET', '/Users?count=many', undefined, 400],
      ['with a huge start', 'GET', '/Users?startIndex=999999999', undefined, 200],
      ['with no operations', 'PATCH', '/Users/1', { schemas: [] }, 400],
      ['with a group without a name', 'POST', '/Groups', { members: [] }, 400],
      ['with a group of a reserved name', 'POST', '/Groups', { displayName: 'role:owners' }, 400],
      [
        'with a group of 10,000 unknown members',
        'POST',
        '/Groups',
        {
          ...{
            displayName: 'many',
            members: Array.from({ length: 10_000 }, (_, i) => ({ value: String(900_000_000 + i) })),
          },
        },
        400,
      ],
      ['that is too large', 'POST', '/Users', JSON.stringify({ userName: 'x'.repeat(1_100_000) }), 413],
    ])('%s is refused, and nothing breaks', async (_how, method, path, body, status) => {
      expect((await provision(method, path, body)).status).toBe(status)
    })

    test('with another content type is refused', async () => {
      const { scim_token } = await other.owner.call(createScimToken, {})
      provisionOther = provisioningBy(other, `Bearer ${scim_token}`)
      const { status } = await other.anonymous.fetch('/scim/v2/Users', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${scim_token}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'userName=a@allowed.example',
      })
      expect(status).toBe(415)
    })
  })
}
