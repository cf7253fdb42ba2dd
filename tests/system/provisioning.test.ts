import { endpoints, Role } from '@tms/contracts'
import {
  type ApiClient,
  startTestSystem,
  stopPolling,
  type TestOrganization,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scimRequestTests } from './provisioning/scim-requests.ts'
import { accountEventsOf } from './support/account-events.ts'
import { refusal } from './support/answers.ts'
import { newGroupName } from './support/groups.ts'
import { waitForMail } from './support/mails.ts'
import { newOrganization } from './support/other-organization.ts'
import {
  addPerson,
  asOkta,
  clientOf,
  ENTERPRISE_USER,
  findBy,
  GROUP,
  type Json,
  newPerson,
  operations,
  type Provision,
  provisioningBy,
  provisioningOf,
  USER,
} from './support/provisioning.ts'
import { type Databases, openDatabases } from './support/rows-of-organization.ts'
import { environmentOf, runManageHere } from './support/run-manage.ts'
import { watch } from './support/watch.ts'

const { createBot, createScimToken, deleteScimToken, getOwnUser, getScimToken, getUser, listUserGroups } =
  endpoints.users

let product: TestSystem
let databases: Databases
let provision: Provision
/** Another organization with a provisioning system. */
let other: TestOrganization
let provisionOther: Provision

beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { users: 2, gateway: 2 },
    serviceEnv: { TRUST_PROXY: 'true', DEVELOPMENT_LOGIN: 'true', FAILED_LOGINS_PER_MINUTE: '0' },
  })
  databases = openDatabases(product)
  provision = await provisioningOf(product)
  other = await product.createOrganization('provisioned')
  provisionOther = await provisioningOf(other)
}, 180_000)
afterAll(async () => {
  await stopPolling()
  await databases?.close()
  await product?.stop()
})

const find = (filter: string, kind = 'Users') => findBy(provision, filter, kind)
const userOf = async (id: string, client: ApiClient = product.owner) =>
  (await client.call(getUser, { user_id: Number(id) })).user
const isRefused = async (client: ApiClient) => (await client.send(getOwnUser, {})).status === 401

describe('the token of an organization', () => {
  test('is made by owners alone, and shown once', async () => {
    const administrator = await product.createUser('An Administrator', { role: Role.administrator })
    for (const endpoint of [createScimToken, getScimToken, deleteScimToken])
      expect(await administrator.send(endpoint, {})).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))

    const { scim_url, scim_token } = await other.owner.call(createScimToken, {})
    provisionOther = provisioningBy(other, `Bearer ${scim_token}`)
    const shown = await other.owner.call(getScimToken, {})

    expect(scim_url).toMatch(/^http:\/\/provisioned\..*\/scim\/v2$/)
    expect(shown).toMatchObject({ scim_url, scim_token: { creator_id: other.owner.userId } })
    expect(JSON.stringify(shown)).not.toContain(scim_token)
    const { rows } = await databases.pools.users.query('select * from scim_tokens')
    expect(JSON.stringify(rows)).not.toContain(scim_token)
  })

  test('ends with the answer to its replacement or deletion', async () => {
    const { owner, anonymous } = await product.createOrganization('replaced')
    expect(await owner.call(getScimToken, {})).toMatchObject({ scim_token: null })
    const first = await provisioningOf({ owner, anonymous })
    expect((await first('GET', '/Users')).status).toBe(200)

    const second = await provisioningOf({ owner, anonymous })
    expect((await first('GET', '/Users')).status).toBe(401)
    expect((await second('GET', '/Users')).status).toBe(200)

    await owner.call(deleteScimToken, {})
    expect((await second('GET', '/Users')).status).toBe(401)
  })

  test('is made by operators, too', async () => {
    await product.createOrganization('operated')
    const { stdout, code } = await runManageHere(environmentOf(product), [
      ...['create-scim-token', 'operated', '--json'],
    ])
    const { scim_token, scim_url } = JSON.parse(stdout)

    expect({ code, scim_url }).toEqual({ code: 0, scim_url: expect.stringMatching(/^http:\/\/operated\./) })
    const answer = await fetch(`${product.baseUrl}/scim/v2/Users`, {
      headers: {
        authorization: `Bearer ${scim_token}`,
        'x-forwarded-host': `operated.${product.system.externalHost}`,
      },
    })
    expect(answer.status).toBe(200)
  })

  test.each([
    ['no header', ''],
    ['another token', `Bearer scim_${'x'.repeat(40)}`],
    ['an empty one', 'Bearer '],
  ])('is refused as %s', async (_how, authorization) => {
    const { status, headers } = await provisioningBy(product, authorization)('GET', '/Users')
    expect({ status, asks: headers.get('www-authenticate') }).toEqual({
      status: 401,
      asks: 'Bearer realm="scim"',
    })
  })

  test('opens nothing else, and nothing else opens provisioning', async () => {
    const { scim_token } = await other.owner.call(createScimToken, {})
    provisionOther = provisioningBy(other, `Bearer ${scim_token}`)
    const { email, apiKey } = other.owner.account ?? { email: '', apiKey: '' }
    const basic = (password: string) => `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`

    expect((await provisionOther('GET', '/Users')).status).toBe(200)
    for (const wrong of [
      basic(scim_token),
      basic(apiKey),
      `Bearer ${apiKey}`,
      `Bearer ${scim_token.slice(0, -1)}`,
    ])
      expect((await provisioningBy(other, wrong)('GET', '/Users')).status).toBe(401)
    for (const wrong of [basic(scim_token), `Bearer ${scim_token}`]) {
      const { status } = await other.anonymous.fetch('/api/v1/users/me', {
        headers: { authorization: wrong },
      })
      expect([400, 401]).toContain(status)
    }
  })

  test('is worth nothing at the host of another organization', async () => {
    const { scim_token } = await other.owner.call(createScimToken, {})
    provisionOther = provisioningBy(other, `Bearer ${scim_token}`)

    expect((await provisioningBy(product, `Bearer ${scim_token}`)('GET', '/Users')).status).toBe(401)
  })

  test('is worth nothing while the organization is deactivated', async () => {
    const ending = await newOrganization(product)
    const provisionEnding = await provisioningOf(ending)
    await ending.owner.call(endpoints.realm.deactivateRealm, {})

    expect((await provisionEnding('GET', '/Users')).status).toBe(401)

    await ending.reactivate()
    expect((await provisionEnding('GET', '/Users')).status).toBe(200)
  })
})

describe('Okta', () => {
  test('provisions a person, changes, deactivates and reactivates them', async () => {
    const watcher = await watch(product.owner, {
      fetch_event_types: ['realm_user'],
      event_types: ['realm_user', 'alert_words'],
    })
    const { email, fullName } = newPerson()
    expect(await find(`userName eq "${email}"`)).toEqual([])
    let created: Json = {}
    const [added = []] = await accountEventsOf([watcher], async () => {
      const { status, headers, body } = await provision('POST', '/Users', asOkta({ email, fullName }))
      created = body
      expect({ status, location: headers.get('location') }).toEqual({
        status: 201,
        location: (body['meta'] as Json)['location'],
      })
    })
    const id = String(created['id'])

    expect(added).toMatchObject([{ type: 'realm_user', op: 'add', person: { user_id: Number(id) } }])
    expect(created).toMatchObject({
      ...{ userName: email, active: true, displayName: fullName, externalId: `okta of ${email}` },
      emails: [{ value: email, type: 'work', primary: true }],
      name: { formatted: fullName, givenName: 'Person' },
    })
    expect(created).not.toHaveProperty('password')
    expect(await find(`userName eq "${email.toUpperCase()}"`)).toEqual([created])
    expect((await provision('GET', `/Users/${id}`)).body).toEqual(created)
    const person = await clientOf(product, email)
    const { subscriptions } = await person.call(endpoints.messaging.listSubscriptions, {})
    expect(subscriptions.map(({ name }) => name)).toContain('general')

    const renamed = asOkta({ email: `new-${email}`, fullName: 'Other Name' }, { id })
    expect((await provision('PUT', `/Users/${id}`, renamed)).body).toMatchObject({
      ...{ id, userName: `new-${email}`, displayName: 'Other Name' },
      emails: [{ value: `new-${email}` }],
    })
    expect(await userOf(id)).toMatchObject({ full_name: 'Other Name', delivery_email: `new-${email}` })

    const [ended = []] = await accountEventsOf([watcher], async () => {
      const off = operations({ op: 'replace', value: { active: false } })
      expect((await provision('PATCH', `/Users/${id}`, off)).body).toMatchObject({ id, active: false })
    })
    expect(ended).toMatchObject([{ type: 'realm_user', op: 'update', person: { is_active: false } }])
    expect(await isRefused(person.as({ ...accountOf(person), email: `new-${email}` }))).toBe(true)
    expect(await find(`userName eq "new-${email}"`)).toMatchObject([{ id, active: false }])

    const on = operations({ op: 'replace', value: { active: true } })
    expect((await provision('PATCH', `/Users/${id}`, on)).body).toMatchObject({ active: true })
    expect(await isRefused(person.as({ ...accountOf(person), email: `new-${email}` }))).toBe(false)
  })

  test('pushes groups', async () => {
    const [ann, bob] = [await addPerson(provision), await addPerson(provision)]
    const name = newGroupName()
    const { body: group } = await provision('POST', '/Groups', {
      schemas: [GROUP],
      displayName: name,
      members: [{ value: ann.id, display: ann.email }],
    })
    const members = async () => (await membersOf(name)).map(String)
    expect(await members()).toEqual([ann.id])

    await provision(
      'PATCH',
      `/Groups/${group['id']}`,
      operations(
        { op: 'remove', path: `members[value eq "${ann.id}"]` },
        { op: 'add', path: 'members', value: [{ value: bob.id, display: bob.email }] },
      ),
    )
    expect(await members()).toEqual([bob.id])

    const both = {
      schemas: [GROUP],
      id: group['id'],
      displayName: name,
      members: [ann, bob].map(({ id }) => ({ value: id })),
    }
    expect((await provision('PUT', `/Groups/${group['id']}`, both)).body['members']).toEqual([
      { value: ann.id, type: 'User' },
      { value: bob.id, type: 'User' },
    ])

    const renamed = operations({ op: 'replace', value: { id: group['id'], displayName: `${name} renamed` } })
    expect((await provision('PATCH', `/Groups/${group['id']}`, renamed)).body).toMatchObject({
      displayName: `${name} renamed`,
    })
    expect(await membersOf(`${name} renamed`)).toHaveLength(2)
  })
})

describe('Microsoft Entra', () => {
  test('provisions a person, changes, disables and deletes them', async () => {
    const { email } = newPerson()
    const externalId = `entra ${email}`
    expect(await find(`externalId eq "${externalId}"`)).toEqual([])
    const { status, body: created } = await provision('POST', '/Users', {
      schemas: [USER, ENTERPRISE_USER],
      externalId,
      userName: `upn-${email}`,
      active: 'True',
      displayName: 'Eva Entra',
      emails: [{ primary: true, type: 'work', value: email }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Eva Entra', familyName: 'Entra', givenName: 'Eva' },
      [ENTERPRISE_USER]: { department: 'Sales', manager: { value: '5' } },
      title: 'Chief',
    })
    const id = String(created['id'])
    const path = `/Users/${id}`

    expect({ status, created }).toMatchObject({
      status: 201,
      created: { userName: `upn-${email}`, emails: [{ value: email }], externalId },
    })
    expect(await userOf(id)).toMatchObject({ delivery_email: email, full_name: 'Eva Entra' })
    for (const filter of [
      `externalId eq "${externalId}"`,
      `userName eq "upn-${email}"`,
      `emails[type eq "work"].value eq "${email}"`,
      `id eq "${id}"`,
    ])
      expect(await find(filter)).toEqual([created])

    const changed = await provision(
      'PATCH',
      path,
      operations(
        { op: 'Replace', path: 'displayName', value: 'Eva Maria Entra' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: `new-${email}` },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1' },
        { op: 'Add', path: `${ENTERPRISE_USER}:department`, value: 'Research' },
      ),
    )
    expect(changed.body).toMatchObject({
      ...{ userName: `upn-${email}`, displayName: 'Eva Maria Entra' },
      emails: [{ value: `new-${email}` }],
    })

    const person = await clientOf(product, `new-${email}`)
    await provision('PATCH', path, operations({ op: 'Replace', path: 'active', value: 'False' }))
    expect(await isRefused(person)).toBe(true)
    await provision(
      'PATCH',
      path,
      operations({ op: 'Replace', value: { active: 'True', 'name.givenName': 'Eve' } }),
    )
    expect(await isRefused(person)).toBe(false)
    expect(await userOf(id)).toMatchObject({ full_name: 'Eve Maria Entra' })

    expect((await provision('DELETE', path)).status).toBe(204)
    expect(await isRefused(person)).toBe(true)
    expect(await find(`userName eq "upn-${email}"`)).toEqual([])
    for (const method of ['GET', 'DELETE']) expect((await provision(method, path)).status).toBe(404)
    expect((await provision('PUT', path, asOkta({ email, fullName: 'Eva' }))).status).toBe(404)

    const again = await provision('POST', '/Users', asOkta({ email: `new-${email}`, fullName: 'Eva Again' }))
    expect(again).toMatchObject({ status: 201, body: { id, displayName: 'Eva Again', active: true } })
    expect(await isRefused(person)).toBe(false)
  })

  test('adds and removes members one by one, and deletes a group', async () => {
    const [ann, bob] = [await addPerson(provision), await addPerson(provision)]
    const name = newGroupName()
    expect(await find(`displayName eq "${name}"`, 'Groups')).toEqual([])
    const { body } = await provision('POST', '/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: 'entra group',
      displayName: name,
      meta: { resourceType: 'Group' },
    })
    const path = `/Groups/${body['id']}`
    const change = (op: string, { id }: { id: string }) =>
      provision('PATCH', path, operations({ op, path: 'members', value: [{ value: id }] }))

    await change('Add', ann)
    await change('Add', bob)
    await change('Add', bob)
    expect((await membersOf(name)).map(String)).toEqual([ann.id, bob.id])
    await change('Remove', ann)
    expect((await membersOf(name)).map(String)).toEqual([bob.id])
    expect(await find(`id eq "${body['id']}" and members[value eq "${bob.id}"]`, 'Groups')).toHaveLength(1)
    expect(await find(`id eq "${body['id']}" and members[value eq "${ann.id}"]`, 'Groups')).toEqual([])
    const query = `?excludedAttributes=members&filter=${encodeURIComponent(`displayName eq "${name}"`)}`
    const found = (await provision('GET', `/Groups${query}`)).body['Resources']
    expect(found).toEqual([expect.not.objectContaining({ members: expect.anything() })])

    expect((await provision('DELETE', path)).status).toBe(204)
    expect((await provision('GET', path)).status).toBe(404)
    const { user_groups } = await product.owner.call(listUserGroups, {})
    expect(user_groups.map((group) => group.name)).not.toContain(name)
    // Assigned again: the name is free.
    expect((await provision('POST', '/Groups', { schemas: [GROUP], displayName: name })).status).toBe(201)
  })
})

const accountOf = ({ account }: ApiClient) => account ?? { userId: 0, email: '', apiKey: '' }

async function membersOf(name: string): Promise<number[]> {
  const { user_groups } = await product.owner.call(listUserGroups, {})
  return user_groups.find((group) => group.name === name)?.members ?? []
}

describe('a provisioned person', () => {
  test('is out everywhere with the answer, and so are their bots', async () => {
    const { id, email } = await addPerson(provision)
    const person = await clientOf(product, email)
    const { user_id, api_key } = await person.call(createBot, {
      full_name: 'Bot of a person',
      short_name: `bot-${id}`,
    })
    const bot = await userOf(String(user_id))
    const botClient = person.as({ userId: user_id, email: bot.email, apiKey: api_key })
    await product.owner.call(endpoints.messaging.sendMessage, {
      type: 'direct',
      to: [Number(id)],
      content: 'hello',
    })

    await provision('PATCH', `/Users/${id}`, operations({ op: 'replace', path: 'active', value: false }))

    expect(await Promise.all([isRefused(person), isRefused(botClient)])).toEqual([true, true])
    expect((await userOf(id)).is_active).toBe(false)
    expect(
      await product.owner.send(endpoints.messaging.sendMessage, {
        type: 'direct',
        to: [Number(id)],
        content: 'gone',
      }),
    ).toMatchObject({ status: 400 })
  })

  test('gets a mail at both addresses when one replaces the other', async () => {
    const { id, email } = await addPerson(provision)

    await provision(
      'PATCH',
      `/Users/${id}`,
      operations({ op: 'replace', path: 'userName', value: `b-${email}` }),
    )

    expect((await waitForMail(product, email, 'has changed')).text).toContain(`b-${email}`)
    expect((await waitForMail(product, `b-${email}`, 'this e-mail address now')).text).toContain(email)
  })

  test('has no password until one is set by mail', async () => {
    const { email } = await addPerson(provision)
    for (const password of ['', 'not used here'])
      expect(
        (await product.anonymous.send(endpoints.users.fetchApiKey, { username: email, password })).status,
      ).toBe(401)
  })

  test.each(['administrator', 'moderator', 'guest'] as const)('may be a %s', async (role) => {
    const { id } = await addPerson(provision, { role })
    expect((await userOf(id)).role).toBe(Role[role])
    expect(await find(`id eq "${id}" and role eq "${role}"`)).toHaveLength(1)
  })

  test('is never made an owner', async () => {
    const { email, fullName } = newPerson()
    const { id } = await addPerson(provision)

    const made = await provision('POST', '/Users', asOkta({ email, fullName }, { role: 'owner' }))
    const promoted = await provision(
      'PATCH',
      `/Users/${id}`,
      operations({ op: 'replace', value: { role: 'Owner' } }),
    )

    expect([made.status, promoted.status]).toEqual([403, 403])
    expect((await userOf(id)).role).toBe(Role.member)
    expect(await find(`userName eq "${email}"`)).toEqual([])
  })

  test('is a guest no administrator at once', async () => {
    const { id } = await addPerson(provision, { role: 'guest' })
    const { status } = await provision(
      'PATCH',
      `/Users/${id}`,
      operations({ op: 'replace', value: { role: 'administrator' } }),
    )
    expect(status).toBe(400)
  })

  test('is accepted by the rules of the organization alone', async () => {
    await other.owner.call(endpoints.realm.addEmailDomain, {
      domain: 'allowed.example',
      allow_subdomains: false,
    })
    await other.owner.call(endpoints.realm.updateRealm, {
      emails_restricted_to_domains: true,
      invite_required: true,
    })
    const add = async (email: string) =>
      (await provisionOther('POST', '/Users', asOkta({ email, fullName: 'Some Body' }))).status

    expect(await add('a@refused.example')).toBe(400)
    expect(await add('a@allowed.example')).toBe(201)
  })
})

describe('an owner', () => {
  test('keeps role and address, and the last one stays active', async () => {
    const { owner } = product
    const path = `/Users/${owner.userId}`
    const change = async (by: Provision, to: string, value: Json) =>
      (await by('PATCH', to, operations({ op: 'replace', value }))).status

    expect(await change(provision, path, { active: false })).toBe(400)
    expect((await provision('DELETE', path)).status).toBe(400)
    expect(await change(provision, path, { role: 'member' })).toBe(403)
    expect(await change(provision, path, { userName: 'taken-over@provisioned.example' })).toBe(403)
    expect(await owner.call(getOwnUser, {})).toMatchObject({ role: Role.owner, delivery_email: owner.email })

    const second = await product.createUser('Another Owner', { role: Role.owner })
    expect(await change(provision, `/Users/${second.userId}`, { active: false })).toBe(200)
    expect(await isRefused(second)).toBe(true)
  })
})

describe('a user group', () => {
  test('that a permission names is not deleted', async () => {
    const name = newGroupName()
    const { body } = await provision('POST', '/Groups', { displayName: name })
    await product.owner.call(endpoints.realm.updateRealm, {
      can_create_groups: { new: Number(body['id']) },
    })

    expect((await provision('DELETE', `/Groups/${body['id']}`)).status).toBe(409)
    await product.owner.call(endpoints.realm.updateRealm, { can_create_groups: { new: 5 } })
    expect((await provision('DELETE', `/Groups/${body['id']}`)).status).toBe(204)
  })

  test('has one event for all who join, and sends them no notice', async () => {
    const [ann, bob] = [await addPerson(provision), await addPerson(provision)]
    const { body } = await provision('POST', '/Groups', { displayName: newGroupName() })
    const watcher = await watch(product.owner, { event_types: ['user_group', 'alert_words'] })
    const members = [ann, bob].map(({ id }) => ({ value: id }))

    const [events = []] = await accountEventsOf([watcher], () =>
      provision('PATCH', `/Groups/${body['id']}`, operations({ op: 'add', path: 'members', value: members })),
    )

    expect(events).toMatchObject([
      { type: 'user_group', op: 'add_members', user_ids: [Number(ann.id), Number(bob.id)] },
    ])
    const { messages } = await (await clientOf(product, ann.email)).call(endpoints.messaging.getMessages, {
      ...{ anchor: 'newest', num_before: 100, num_after: 0 },
      narrow: [{ operator: 'is', operand: 'dm' }],
    })
    expect(messages.filter(({ content }) => content.includes('group'))).toEqual([])
  })

  test('has only active people of the organization', async () => {
    const nonMember = await addPerson(provisionOther, {
      ...{ userName: 'b@allowed.example', emails: [{ value: 'b@allowed.example' }] },
    })
    const inactive = await addPerson(provision)
    await provision('PATCH', `/Users/${inactive.id}`, operations({ op: 'replace', value: { active: false } }))
    for (const value of [nonMember.id, inactive.id, '999999999'])
      expect(
        (await provision('POST', '/Groups', { displayName: newGroupName(), members: [{ value }] })).status,
      ).toBe(400)
  })
})

describe('requests', () => {
  scimRequestTests(() => ({ product, other }))
})
