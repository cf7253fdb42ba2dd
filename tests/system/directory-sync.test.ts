import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { endpoints } from '@tms/contracts'
import {
  canStartDirectory,
  startTestDirectory,
  startTestSystem,
  type TestDirectory,
  type TestOrganization,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { success } from './support/answers.ts'
import { addPerson, replaceIn, signedIn, type Values } from './support/people-of-directory.ts'
import { onePixel } from './support/pictures.ts'
import { environmentOf, runManageHere } from './support/run-manage.ts'
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts'
import { createTestAuthority, type TestAuthority } from './support/test-authority.ts'
import { until } from './support/until.ts'

const { getOwnUser } = endpoints.users
const COMPARED = 'accounts were compared with the directory'
/** Within the list of people, after the answer to the bind. */
const MID_ENTRY_BYTES = 400

let authority: TestAuthority
let directory: TestDirectory
let proxy: TcpProxy
let product: TestSystem
let synced: TestOrganization
let engineersDn: string

const where = canStartDirectory(process.env) ? describe : describe.skip

where('a directory that accounts are compared with', () => {
  beforeAll(async () => {
    authority = createTestAuthority('Directory')
    const { TLS_CA_FILE: ca, TLS_CERTIFICATE_FILE: certificate, TLS_KEY_FILE: key } = authority.variables
    directory = await startTestDirectory(process.env, { ca, certificate, key })
    proxy = await startTcpProxy({ host: '127.0.0.1', port: directory.port })
    product = await startTestSystem({
      env: process.env,
      replicas: { users: 2 },
      logLevel: 'info',
      serviceEnv: {
        TRUST_PROXY: 'true',
        SIGN_ON: JSON.stringify({ ldap: { directories: [settingsOf('synced'), settingsOf('empty')] } }),
      },
    })
    const first = await person('sync-first')
    const engineers = { objectClass: 'groupOfNames', cn: 'engineers', member: first.dn }
    engineersDn = await directory.add('cn=engineers,ou=groups', engineers)
    synced = await product.createOrganization('synced')
    await product.createOrganization('empty')
    await synced.owner.call(endpoints.realm.updateRealm, { invite_required: false })
  }, 180_000)
  afterAll(async () => {
    await product?.stop()
    proxy?.close()
    await directory?.stop()
    authority?.remove()
  })

  const sync = (...options: string[]) =>
    runManageHere(environmentOf(product), ['sync-directory', 'synced', '--json', ...options])
  const report = async (...options: string[]) => JSON.parse((await sync(...options)).stdout) as object
  /** People of the directory who have signed in. */
  const members = async (...names: string[]) => {
    const people = []
    for (const name of names) {
      const entry = await person(name)
      people.push({ ...entry, client: await signedIn(synced, name, entry.password) })
    }
    return people
  }
  const stateOf = async (userId: number) => {
    const { user } = await synced.owner.call(endpoints.users.getUser, { user_id: userId })
    return user
  }

  test('by itself and by one replica, when a new organization begins', async () => {
    const lines = () =>
      product.system.replicas
        .flatMap((replica) => replica.logs())
        .filter((text) => text.includes(COMPARED) && text.includes('"directory":"synced"'))

    await until(async () => lines().length > 0)

    expect(lines()).toHaveLength(1)
  })

  test('brings changes, deactivates who has left, and brings them back', async () => {
    const [ann, ben, cid] = await members('sync-ann', 'sync-ben', 'sync-cid')
    const [una, uwe, vic] = await members('sync-una', 'sync-uwe', 'sync-vic')
    if (!ann || !ben || !cid || !una || !uwe || !vic) throw new Error('somebody is missing')
    await replace(ann.dn, { cn: 'Ann Another' })
    await replace(ben.dn, { businessCategory: 'left' })
    const local = await synced.createUser('Stays Local')

    const planned = await report('--dry-run')
    expect(planned).toMatchObject({
      ...{ is_dry_run: true, updated: ['sync-ann@example.com'], deactivated: ['sync-ben@example.com'] },
    })
    expect(await stateOf(ann.client.userId)).toMatchObject({ full_name: 'Person sync-ann' })
    expect(await report()).toMatchObject({
      ...{ people: 7, updated: ['sync-ann@example.com'], deactivated: ['sync-ben@example.com'] },
    })

    expect(await stateOf(ann.client.userId)).toMatchObject({ full_name: 'Ann Another', is_active: true })
    expect(await stateOf(ben.client.userId)).toMatchObject({ is_active: false })
    expect(await ben.client.send(getOwnUser, {})).toMatchObject({ status: 401 })
    expect(await stateOf(local.userId)).toMatchObject({ is_active: true })

    await directory.change((client) => client.del(cid.dn))
    expect(await report()).toMatchObject({ deactivated: ['sync-cid@example.com'], updated: [] })
    expect(await stateOf(cid.client.userId)).toMatchObject({ is_active: false })

    await replace(ben.dn, { businessCategory: 'here' })
    expect(await report()).toMatchObject({ reactivated: ['sync-ben@example.com'], deactivated: [] })
    expect(await ben.client.send(getOwnUser, {})).toMatchObject(success())

    await synced.owner.call(endpoints.users.deactivateUser, { user_id: ben.client.userId })
    expect(await report()).toMatchObject({ reactivated: [], deactivated: [] })
    expect(await stateOf(ben.client.userId)).toMatchObject({ is_active: false })

    await person('sync-cid')
    expect((await signedIn(synced, 'sync-cid', cid.password)).userId).toBe(cid.client.userId)
  })

  test('takes new pictures', async () => {
    const [pat] = await members('sync-pat')
    if (!pat) throw new Error('somebody is missing')
    await replace(pat.dn, { jpegPhoto: Buffer.from(onePixel) })
    const updated = ['sync-pat@example.com']

    expect(await report('--dry-run')).toMatchObject({ updated })
    expect(await report()).toMatchObject({ updated })

    expect((await pat.client.call(getOwnUser, {})).avatar_url).toMatch(/^\/user_avatars\//)
    expect(await report()).toMatchObject({ updated: [] })
    // One that is too large is not even read to its end, and keeps nobody from anything.
    await replace(pat.dn, { jpegPhoto: Buffer.alloc(12 * 1024 ** 2, 1), cn: 'Pat Another' })
    expect(await report()).toMatchObject({ updated })
    expect(await pat.client.call(getOwnUser, {})).toMatchObject({
      full_name: 'Pat Another',
      avatar_url: expect.stringMatching(/^\/user_avatars\//),
    })
    await directory.change((client) => client.del(pat.dn))
    await report()
  })

  test('deactivates nobody if it is empty, or if too many would go', async () => {
    const [dan, eli, flo] = await members('sync-dan', 'sync-eli', 'sync-flo')
    if (!dan || !eli || !flo) throw new Error('somebody is missing')
    for (const { dn } of [dan, eli, flo]) await directory.change((client) => client.del(dn))

    const refused = await sync()

    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('would deactivate 3 of')
    for (const { client } of [dan, eli, flo])
      expect(await client.send(getOwnUser, {})).toMatchObject(success())
    expect(await report('--force')).toMatchObject({
      deactivated: ['sync-dan@example.com', 'sync-eli@example.com', 'sync-flo@example.com'],
    })
    expect(
      await runManageHere(environmentOf(product), ['sync-directory', 'empty', '--dry-run']),
    ).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('no people') },
    })
  })

  test('lets people join and leave user groups as they do its groups', async () => {
    const [hub, ian] = await members('sync-hub', 'sync-ian')
    if (!hub || !ian) throw new Error('somebody is missing')
    const [local, ids] = [await synced.createUser(), [hub.client.userId, ian.client.userId]]
    await synced.owner.call(endpoints.users.createUserGroup, {
      ...{ name: 'engineers', description: '', members: [local.userId] },
    })
    const { user_groups } = await synced.owner.call(endpoints.users.listUserGroups, {})
    const groupId = user_groups.find(({ name }) => name === 'engineers')?.id ?? 0
    const memberIds = async () => {
      const { user_groups: groups } = await synced.owner.call(endpoints.users.listUserGroups, {})
      return groups.find(({ id }) => id === groupId)?.members
    }
    await replace(engineersDn, { member: [hub.dn, ian.dn.toUpperCase()] })

    expect(await report('--dry-run')).toMatchObject({ groups: ['engineers'], unknown_groups: ['Poets'] })
    expect(await memberIds()).toEqual([local.userId])
    expect(await report()).toMatchObject({ groups: ['engineers'] })
    expect(await memberIds()).toEqual([...ids, local.userId].sort((a, b) => a - b))

    await replace(engineersDn, { member: [ian.dn] })
    expect(await report()).toMatchObject({ groups: ['engineers'] })
    expect(await memberIds()).toEqual([ian.client.userId, local.userId].sort((a, b) => a - b))
    expect(await report()).toMatchObject({ groups: [] })
  })

  test('changes nothing if it dies in the middle of its answer', async () => {
    const [gil] = await members('sync-gil')
    if (!gil) throw new Error('somebody is missing')
    await replace(gil.dn, { cn: 'Gil Another', businessCategory: 'left' })
    const dying = await dieAfter(MID_ENTRY_BYTES)
    try {
      const failed = await sync()
      expect(failed.code).not.toBe(0)
      expect(failed.stderr).toContain('directory does not answer')
      expect(dying.sentBytes()).toBe(MID_ENTRY_BYTES)
    } finally {
      dying.restore()
    }

    expect(await stateOf(gil.client.userId)).toMatchObject({ full_name: 'Person sync-gil', is_active: true })
    expect(await report()).toMatchObject({ deactivated: ['sync-gil@example.com'] })
  })

  test('by one replica at a time', async () => {
    const outcomes = await Promise.all([sync(), sync(), sync()])

    const done = outcomes.filter(({ code }) => code === 0)
    expect(done.length).toBeGreaterThanOrEqual(1)
    for (const { code, stderr } of outcomes)
      if (code !== 0) expect(stderr).toContain('being compared already')
  })
})

/** A directory of the organization with this subdomain, whose people are marked by its name. */
function settingsOf(name: string): object {
  return {
    name,
    organizations: [name],
    url: `ldap://127.0.0.1:${proxy.port}`,
    allow_unencrypted: true,
    service_account: directory.reader,
    base: `ou=people,${directory.suffix}`,
    filter: `(&(ou=${name})(uid={name}))`,
    attributes: { email: 'mail', full_name: 'cn', avatar: 'jpegPhoto' },
    disabled: { attribute: 'businessCategory', values: ['left'] },
    sync: {
      every_minutes: 10_080,
      groups: {
        Engineers: `cn=engineers,ou=groups,${directory.suffix}`,
        Poets: `cn=engineers,ou=groups,${directory.suffix}`,
      },
    },
  }
}

const person = (uid: string) => addPerson(directory, uid, { ou: 'synced' })
const replace = (dn: string, attributes: Readonly<Record<string, Values>>) =>
  replaceIn(directory, dn, attributes)

/** Lets each connection to the directory end after so many bytes of its answers, until `restore`. */
async function dieAfter(bytes: number): Promise<{ sentBytes(): number; restore(): void }> {
  let sent = 0
  const dying = createServer((client) => {
    const server = connect({ host: '127.0.0.1', port: directory.port })
    client.pipe(server)
    for (const socket of [client, server]) socket.on('error', () => {})
    server.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, bytes - sent)
      sent += part.length
      client.write(part)
      if (sent < bytes) return
      client.end()
      server.destroy()
    })
  })
  await once(dying.listen(0, '127.0.0.1'), 'listening')
  proxy.redirect({ host: '127.0.0.1', port: (dying.address() as AddressInfo).port })
  return {
    sentBytes: () => sent,
    restore: () => {
      proxy.redirect({ host: '127.0.0.1', port: directory.port })
      dying.close()
    },
  }
}
