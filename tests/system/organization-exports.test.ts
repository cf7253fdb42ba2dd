import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { endpoints, internal } from '@tms/contracts'
import { createFirstOrganization } from '@tms/local-system'
import { createInternalClient, createInternalTokenSource, createLog, createPool } from '@tms/service-kit'
import {
  ApiClient,
  type EmptySystem,
  startEmptySystem,
  startTestSystem,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { domainEventTests } from './api/documents.ts'
import { contentsOf } from './support/archives.ts'
import { uploadTo } from './support/files.ts'
import { letLeaseEnd } from './support/let-lease-end.ts'
import { onePixel, twoFrames } from './support/pictures.ts'
import { type Ended, environmentOf, runManageHere, startManage } from './support/run-manage.ts'
import { until } from './support/until.ts'
import { sendToChannel } from './support/users-and-channels.ts'
import { startWorkload } from './support/workload.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const MIN_MESSAGES = 300

let source: TestSystem
let target: EmptySystem
let folder: string
let archive: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tms-exports-'))
  archive = join(folder, 'acme.tar.gz')
  ;[source, target] = await Promise.all([
    startTestSystem({
      env: process.env,
      replicas: { realm: 2 },
      logLevel: 'info',
      serviceEnv: { INVITES_PER_DAY: '0', INVITES_PER_DAY_OF_NEW_REALMS: '0' },
    }),
    startEmptySystem({ env: process.env }),
  ])
  await enliven(source)
  expect(await manage(source, ['export', '.', '--output', archive])).toMatchObject({ code: 0, stderr: '' })
}, 300_000)
afterAll(async () => {
  await Promise.all([source?.stop(), target?.stop()])
  await rm(folder, { recursive: true, force: true })
})

const manage = (at: EmptySystem, args: readonly string[]): Promise<Ended> =>
  runManageHere(environmentOf(at), args)
const callerOf = ({ system }: EmptySystem) =>
  createInternalClient(system.urls, createInternalTokenSource('tests', system.keys.internal.privateKey))
const listOrganizations = async () =>
  (await callerOf(target)(internal.realm.listRealmProjections, {})).realms.map(({ realm_id }) => realm_id)
/** Whether there is an import that was started and has not ended. */
const isBeingImported = () =>
  callerOf(target)(internal.realm.getRealmUrl, { realm_id: source.realmId }).then(
    () => true,
    () => false,
  )

describe('an import into an empty installation', () => {
  test('is rejected if it is damaged, of another version or not an archive, and leaves nothing', async () => {
    const packed = await readFile(archive)
    const damaged = join(folder, 'damaged.tar.gz')
    await writeFile(damaged, packed.subarray(0, packed.length / 2))
    expect(await manage(target, ['import', damaged])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('damaged'),
    })
    const other = join(folder, 'other.tar.gz')
    const tar = gunzipSync(packed).toString('latin1').replace('"format": 1', '"format": 9')
    await writeFile(other, gzipSync(Buffer.from(tar, 'latin1')))
    expect(await manage(target, ['import', other])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('version 9 of the format'),
    })

    expect(await listOrganizations()).toEqual([])
    expect(await isBeingImported()).toBe(false)
  })

  test('that is interrupted removes what it brought, also after a second key press', async () => {
    const messaging = target.system.replica('messaging', 0)
    await messaging.kill('SIGSTOP')
    const running = startManage(environmentOf(target), ['import', archive])
    await until(isBeingImported)
    running.kill('SIGINT')
    running.kill('SIGINT')
    await messaging.kill('SIGCONT')

    expect(await running.ended).toMatchObject({ code: 130, stderr: 'Interrupted.\n' })
    expect(await isBeingImported()).toBe(false)
  })

  test('blocks a second one, which removes nothing of it, nor after it was killed', async () => {
    const messaging = target.system.replica('messaging', 0)
    await messaging.kill('SIGSTOP')
    const running = startManage(environmentOf(target), ['import', archive])
    await until(isBeingImported)
    const refused = { code: 1, stderr: expect.stringContaining('has not ended') }
    expect(await manage(target, ['import', archive])).toMatchObject(refused)

    running.kill('SIGKILL')
    expect((await running.ended).code).toBeNull()
    await messaging.kill('SIGCONT')

    expect(await manage(target, ['import', archive])).toMatchObject(refused)
    expect(await isBeingImported()).toBe(true)
    expect(await listOrganizations()).toEqual([])
    // `--restart` starts with it, even while a service is still busy with the upload.
    await callerOf(target)(internal.realm.removeImport, { realm_id: source.realmId })
    expect(await isBeingImported()).toBe(false)
  })

  test('that fails in a later service leaves nothing, and works when it is repeated', async () => {
    const messaging = target.system.replica('messaging', 0)
    await messaging.kill('SIGKILL')
    expect(await manage(target, ['import', archive])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('messaging'),
    })
    // It could not be deleted either while that service was down.
    await messaging.start()
    expect(await listOrganizations()).toEqual([])

    expect(await manage(target, ['import', archive, '--restart'])).toMatchObject({ code: 0, stderr: '' })
    expect(await listOrganizations()).toEqual([source.realmId])
  })

  test('restores it: an export of it has the same records and files', async () => {
    const again = join(folder, 'again.tar.gz')
    const { code, stderr } = await manage(target, ['export', '.', '--output', again])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })

    const [before, after] = [await contentsOf(archive), await contentsOf(again)]
    for (const part of ['users', 'messaging']) expect(after.lines[part]).toEqual(before.lines[part])
    const [audited, auditedSince] = [before, after].map(({ lines }) => linesOf(lines['realm'], 'audit_entry'))
    expect(audited?.length).toBeGreaterThan(100)
    // The import is an entry itself.
    expect(auditedSince?.slice(0, audited?.length)).toEqual(audited)
    expect(othersOf(after.lines['realm'])).toEqual(othersOf(before.lines['realm']))
    expect(after.files).toEqual(before.files)
    expect(Object.keys(before.files).length).toBeGreaterThanOrEqual(4)
  })

  test('stays unchanged when the installation starts again, without another owner', async () => {
    const { urls, baseUrl, keys } = target.system
    const [users, realm] = [urls.users[0] ?? '', urls.realm[0] ?? '']
    const start = (email: string) =>
      createFirstOrganization({
        urls: { gateway: baseUrl, users, realm },
        internalPrivateKey: keys.internal.privateKey,
        email,
        password: 'of the operator',
      })
    const found = await start(source.owner.email)
    if (!found) throw new Error('its owner was not found')
    const owner = new ApiClient(baseUrl, found)
    const { streams } = await owner.call(endpoints.messaging.listChannels, {})
    const { members } = await owner.call(endpoints.users.listUsers, {})

    expect(await start('somebody-else@example.com')).toBeNull()
    expect((await owner.call(endpoints.users.listUsers, {})).members).toEqual(members)
    expect((await owner.call(endpoints.messaging.listChannels, {})).streams).toEqual(streams)
  })

  test('is rejected when it is there already, and changes nothing', async () => {
    expect(await manage(target, ['import', archive])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is an organization with the ID'),
    })
    expect(await manage(target, ['import', archive, '--restart'])).toMatchObject({ code: 1 })
    expect(await listOrganizations()).toEqual([source.realmId])
  })
})

/** The records of one kind. */
const linesOf = (lines: readonly string[] = [], kind: string): string[] =>
  lines.filter((line) => (JSON.parse(line) as { kind: string }).kind === kind)
/** The records of all other kinds than entries of the audit log, without their counts. */
const othersOf = (lines: readonly string[] = []): string[] =>
  lines.filter((line) => !['audit_entry', 'end'].includes((JSON.parse(line) as { kind: string }).kind))

domainEventTests(() => target, 'imports')

describe('an export', () => {
  test('that is interrupted leaves no file', async () => {
    const messaging = source.system.replica('messaging', 0)
    await messaging.kill('SIGSTOP')
    const running = startManage(environmentOf(source), [
      'export',
      '.',
      '--output',
      join(folder, 'never.tar.gz'),
    ])
    await until(async () => (await readdir(folder)).some((name) => name.startsWith('export-')))
    running.kill('SIGINT')
    await messaging.kill('SIGCONT')

    expect(await running.ended).toMatchObject({ code: 130, stderr: 'Interrupted.\n' })
    expect((await readdir(folder)).filter((name) => /^export-|never/.test(name))).toEqual([])
  })

  test('is started again by another replica when its replica is killed', async () => {
    const messaging = source.system.replica('messaging', 0)
    const realms = [0, 1].map((index) => source.system.replica('realm', index))
    const { owner } = source
    await messaging.kill('SIGSTOP')
    const { id } = await owner.call(endpoints.realm.startExport, { export_type: 3 })
    const find = async () =>
      (await owner.call(endpoints.realm.listExports, {})).exports.find((one) => one.id === id)
    expect(await find()).toMatchObject({ pending: true, export_url: null, export_type: 3 })
    const isAtWork = (replica: (typeof realms)[number]) =>
      replica.logs().some((line) => line.includes('export begun'))
    await until(async () => realms.some(isAtWork))
    const worker = realms.find(isAtWork)
    await worker?.kill('SIGKILL')
    const realmDb = createPool(source.system.databaseUrls.realm, 1, createLog('test', 'silent'))
    await letLeaseEnd(realmDb, 'realm_exports', 30)
    await realmDb.end()
    await messaging.kill('SIGCONT')

    await until(async () => !(await find())?.pending, 120_000)
    const made = await find()
    expect(made).toMatchObject({ pending: false, failed_timestamp: null, progress: null })
    const answer = await fetch(String(made?.export_url).replace(/^http:\/\/[^/]+/, source.baseUrl))
    const path = join(folder, 'downloaded.tar.gz')
    await writeFile(path, Buffer.from(await answer.arrayBuffer()))
    expect((await contentsOf(path)).files).toEqual((await contentsOf(archive)).files)
    expect(realms.filter((replica) => replica !== worker).every(isAtWork)).toBe(true)
    await worker?.start()
  })
})

/** Runs all kinds of changes in an organization for a while. */
async function enliven(product: TestSystem): Promise<void> {
  const { owner } = product
  const members = await Promise.all(Array.from({ length: 4 }, () => product.createUser()))
  const workload = await startWorkload(product, members, await product.createUser())
  const { subscribe } = endpoints.messaging
  await owner.call(subscribe, { subscriptions: [{ name: 'with files' }] })
  const url = await uploadTo(owner, { name: 'Übersicht.txt', content: 'what there is' })
  let last = await sendToChannel(owner, 'with files', `[a file](${url})`)
  await owner.uploadTo('/api/v1/realm/emoji/dancer', { name: 'x.gif', content: twoFrames, type: 'image/gif' })
  await owner.uploadTo('/api/v1/realm/icon', { name: 'x.png', content: onePixel, type: 'image/png' })
  await until(async () => {
    last = await sendToChannel(owner, 'with files', 'and more')
    return last > MIN_MESSAGES
  })
  await workload.stop()
}
