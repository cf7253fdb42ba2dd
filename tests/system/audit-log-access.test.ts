import { endpoints, Role } from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type ApiClient, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { domainEventTests } from './api/documents.ts'
import { type AuditQuery, listEntries, newestEntry } from './support/audit-entries.ts'
import { passwordOf } from './support/other-organization.ts'
import { environmentOf, runManageHere } from './support/run-manage.ts'
import { until } from './support/until.ts'
import { emailOf, newVisitor } from './support/visitor.ts'

const { createApiToken, createScimToken, deactivateUser, deleteScimToken, fetchApiKey } = endpoints.users
const { createInviteLink, inviteByEmail, listInvitations, revokeInvitation } = endpoints.users
const { regenerateApiKey, revokeApiToken, updateSettings, updateUser } = endpoints.users
const { addApnsDevice, removeApnsDevice } = endpoints.users

let product: TestSystem
let db: Pool
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { realm: 2, users: 1 },
    serviceEnv: { TRUST_PROXY: 'true', PASSWORD_ATTEMPTS_MAX: '1000' },
  })
  db = createPool(product.system.databaseUrls.realm, 2, createLog('tests', 'silent'))
  // Its event is in the log by the last test, which reads that.
  await (await product.owner.fetch('/api/v1/realm/audit_log/export')).text()
}, 180_000)
afterAll(async () => {
  await db?.end()
  await product?.stop()
})

const list = (filter: AuditQuery) => listEntries(product.owner, { limit: 1_000, ...filter })
const entryOf = (filter: AuditQuery) => newestEntry(product.owner, filter)
const by = (user: ApiClient) => ({ actor_kind: 'user', actor_id: user.userId })
const of = (user: ApiClient, ...actions: string[]): AuditQuery => ({
  ...{ target_type: 'user', target_id: user.userId, actions },
})
const passwordOfUser = (user: ApiClient) => passwordOf(emailOf(user))

describe('an entry tells who got in', () => {
  test('by a password, and so the API key', async () => {
    const user = await product.createUser()
    await product.anonymous.call(fetchApiKey, { username: emailOf(user), password: passwordOfUser(user) })

    expect(await entryOf(of(user, 'signed_in'))).toMatchObject({
      ...by(user),
      details: { method: 'password', grants: 'api_key' },
      ip_address: expect.any(String),
    })
  })

  test('by the log-in page, and when they log out', async () => {
    const { user, visitor } = await newVisitor(product)
    await visitor.open('/account/')
    await visitor.post('/accounts/logout/')

    expect(await entryOf(of(user, 'sessions_ended'))).toMatchObject({
      ...by(user),
      details: { ended: 'this' },
    })
    expect(await entryOf(of(user, 'signed_in'))).toMatchObject({
      ...by(user),
      details: { method: 'password', grants: 'session' },
    })
  })

  test('and whose browser changed something on the pages', async () => {
    const { user, email, visitor } = await newVisitor(product)
    await visitor.open('/account/')
    await visitor.post('/account/key/', { action: 'replace', password: passwordOf(email) })

    expect(await entryOf(of(user, 'api_key_replaced'))).toMatchObject(by(user))
  })
})

describe('an entry tells who did not get in, and why', () => {
  test.each([
    ['a wrong password', 'AUTHENTICATION_FAILED', false],
    ['a deactivated account', 'USER_DEACTIVATED', true],
  ])('for %s', async (_what, reason, isDeactivated) => {
    const user = await product.createUser()
    if (isDeactivated) await product.owner.call(deactivateUser, { user_id: user.userId })
    await product.anonymous.send(fetchApiKey, { username: emailOf(user), password: 'not this one' })

    expect(await entryOf(of(user, 'sign_in_refused'))).toMatchObject({
      ...{ actor_kind: 'nobody', actor_id: null },
      details: { method: 'password', reason, count: 1 },
    })
  })

  test('for an unknown address, which is not stored', async () => {
    const username = 'someone.unknown@example.net'
    await product.anonymous.send(fetchApiKey, { username, password: 'a password' })

    const entry = await entryOf({ actions: ['sign_in_refused'], actor_kind: 'nobody' })
    await until(async () =>
      (await list({ actions: ['sign_in_refused'] })).some(({ target_ids }) => target_ids.length === 0),
    )
    expect(JSON.stringify(entry)).not.toContain('someone')
  })

  test('once for one of many refusals', async () => {
    const user = await product.createUser()
    for (let turn = 0; turn < 12; turn++)
      await product.anonymous.send(fetchApiKey, { username: emailOf(user), password: `wrong ${turn}` })
    await product.anonymous.call(fetchApiKey, { username: emailOf(user), password: passwordOfUser(user) })
    await entryOf(of(user, 'signed_in'))

    // A minute may have ended in between.
    expect((await list(of(user, 'sign_in_refused'))).length).toBeLessThanOrEqual(4)
  })
})

describe('an entry tells of credentials', () => {
  test('when the API key and the password are replaced', async () => {
    const user = await product.createUser()
    await user.call(updateSettings, {
      old_password: passwordOfUser(user),
      new_password: 'another rather long phrase',
    })
    await user.call(regenerateApiKey, {})

    expect(await entryOf(of(user, 'api_key_replaced'))).toMatchObject(by(user))
    expect(await entryOf(of(user, 'password_changed'))).toMatchObject(by(user))
  })

  test('when an API token is created and revoked', async () => {
    const user = await product.createUser()
    const { api_token } = await user.call(createApiToken, { name: 'audited', scopes: ['read'] })
    await product.owner.call(revokeApiToken, { token_id: api_token.id })

    expect(await entryOf(of(user, 'api_token_revoked'))).toMatchObject({
      ...by(product.owner),
      details: { token_id: api_token.id },
    })
    expect(await entryOf(of(user, 'api_token_created'))).toMatchObject({
      ...by(user),
      details: { token_id: api_token.id, name: 'audited', scopes: ['read'], channel_ids: null },
    })
  })

  test('when a device is registered and removed, without its token', async () => {
    const user = await product.createUser()
    for (let turn = 0; turn < 2; turn++)
      await user.call(addApnsDevice, { token: 'token-of-a-device', appid: 'org.example.App' })
    await user.call(removeApnsDevice, { token: 'token-of-a-device' })

    const details = { service: 'apns', name: 'org.example.App', is_encrypted: false }
    const removed = await entryOf(of(user, 'push_device_removed'))
    expect(removed).toMatchObject({ ...by(user), details })
    expect(await list(of(user, 'push_device_added'))).toMatchObject([{ ...by(user), details }])
    expect(JSON.stringify(removed)).not.toContain('token-of')
  })

  test('when the provisioning token is made and revoked', async () => {
    await product.owner.call(createScimToken, {})
    await product.owner.call(deleteScimToken, {})

    expect(await entryOf({ actions: ['provisioning_token_revoked'] })).toMatchObject(by(product.owner))
    expect(await entryOf({ actions: ['provisioning_token_made'] })).toMatchObject(by(product.owner))
  })
})

describe('an entry tells of invitations', () => {
  const details = (change: string) => ({ change, creator_ids: [product.owner.userId] })
  const entriesOf = (type: 'invitation' | 'invitation_link', id: number) =>
    list({ actions: ['invitations_changed'], target_type: type, target_id: id })

  test('who was invited as what, also if others were not, and when it is revoked', async () => {
    const member = await product.createUser()
    const invitee = `invited-${member.userId}@example.com`
    const refused = await product.owner.send(inviteByEmail, {
      invitee_emails: `${emailOf(member)},${invitee}`,
      stream_ids: [],
      invite_as: Role.moderator,
    })
    expect(refused).toMatchObject({ body: { sent_invitations: true } })
    const { invites } = await product.owner.call(listInvitations, {})
    const id = invites.find((invite) => 'email' in invite && invite.email === invitee)?.id ?? 0
    await product.owner.call(revokeInvitation, { invite_id: id })

    await until(async () => (await entriesOf('invitation', id)).length === 2)
    expect((await entriesOf('invitation', id)).map((entry) => entry.details)).toEqual([
      details('revoked'),
      { ...details('sent'), role: Role.moderator, channel_ids: [] },
    ])
  })

  test('and of links', async () => {
    await product.owner.call(createInviteLink, { stream_ids: [], invite_as: Role.guest })
    const entry = await entryOf({ actions: ['invitations_changed'], target_type: 'invitation_link' })
    expect(entry).toMatchObject({
      ...by(product.owner),
      details: { ...details('sent'), role: Role.guest, channel_ids: [] },
    })
  })
})

test('what provisioning does has an actor of its own', async () => {
  const { scim_token } = await product.owner.call(createScimToken, {})
  const answer = await product.anonymous.fetch('/scim/v2/Users', {
    method: 'POST',
    headers: { authorization: `Bearer ${scim_token}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'provisioned@example.com',
      displayName: 'Provisioned Person',
    }),
  })
  expect(answer.status).toBe(201)

  expect(await entryOf({ actions: ['user_created'], actor_kind: 'provisioning' })).toMatchObject({
    details: { full_name: 'Provisioned Person' },
  })
})

test('what an operator does has an actor of its own', async () => {
  const user = await product.createUser()
  const done = await runManageHere(environmentOf(product), ['reset-password', '.', emailOf(user)])

  expect(done.code).toBe(0)
  expect(await entryOf(of(user, 'password_changed'))).toMatchObject({
    ...{ actor_kind: 'command_line', actor_id: null, ip_address: null },
  })
})

test('a replica of realm that is killed loses no entry and doubles none', async () => {
  const user = await product.createUser()
  const roles = Array.from({ length: 30 }, (_, turn) => (turn % 2 === 0 ? Role.moderator : Role.member))
  const replica = product.system.replica('realm', 0)
  for (const [turn, role] of roles.entries()) {
    if (turn === 10) await replica.kill()
    await product.owner.call(updateUser, { user_id: user.userId, role })
  }
  await replica.start()

  const stored = async () =>
    (
      await db.query<{ after: number }>(
        `select (details ->> 'after')::int as after from audit_log
          where action = 'user_role_changed' and target_ids = array[$1::bigint] order by id`,
        [user.userId],
      )
    ).rows.map(({ after }) => after)
  await until(async () => (await stored()).length >= roles.length)
  expect(await stored()).toEqual(roles)
})

test('no entry has a password, a key or a token in it', async () => {
  const user = await product.createUser()
  const { token } = await user.call(createApiToken, { name: 'secret', scopes: ['read'] })
  const { scim_token } = await product.owner.call(createScimToken, {})
  const { api_key, user_id } = await product.owner.call(endpoints.users.createBot, {
    full_name: 'A bot',
    short_name: 'a',
  })
  await entryOf({ actions: ['user_created'], target_type: 'user', target_id: user_id })
  await entryOf(of(user, 'api_token_created'))

  await (await product.owner.fetch('/api/v1/realm/audit_log/export')).text()
  const { rows } = await db.query<{ row: string }>('select audit_log::text as row from audit_log')
  const secrets = [token, scim_token, api_key, `${user.account?.apiKey}`, `${product.owner.account?.apiKey}`]
  for (const secret of [...secrets, passwordOfUser(user), product.ownerPassword, 'not this one'])
    expect(rows.filter(({ row }) => row.includes(secret))).toEqual([])
  expect(
    rows.filter(({ row }) => /tms_[A-Za-z0-9]{20}|scim_[A-Za-z0-9]{20}|\$2[aby]\$|argon2/.test(row)),
  ).toEqual([])
})

domainEventTests(() => product, 'the audit log')
