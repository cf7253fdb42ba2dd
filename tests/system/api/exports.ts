import { gunzipSync } from 'node:zlib'
import { endpoints, type RealmExport, Role } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountEventsOf } from '../support/account-events.ts'
import { refusal } from '../support/answers.ts'
import { until } from '../support/until.ts'
import { newUserOfRole, newUsers, sendDirectly } from '../support/users-and-channels.ts'
import { stopWatching, watch } from '../support/watch.ts'

const { startExport, listExports, deleteExport, updateRealm } = endpoints.realm
const { listExportConsents, updateSettings } = endpoints.users

export const exportTests = (system: () => TestSystem): void => {
  describe('exports of the organization', () => {
    let owner: ApiClient
    let administrator: ApiClient
    beforeAll(async () => {
      owner = system().owner
      administrator = await newUserOfRole(system(), Role.administrator)
    })
    const find = async (client: ApiClient, id: number): Promise<RealmExport | undefined> =>
      (await client.call(listExports, {})).exports.find((one) => one.id === id)
    const finished = async (id: number) => {
      await until(async () => (await find(owner, id))?.pending === false)
      return await find(owner, id)
    }
    const get = (url: unknown) => fetch(String(url).replace(/^http:\/\/[^/]+/, system().baseUrl))

    test('are created as a job, delivered to administrators, fetched by a link, and deleted', async () => {
      const [queue, members] = await Promise.all([
        registerQueue(administrator, { event_types: ['realm_export'] }),
        newUsers(system(), 1).then(([member]) =>
          registerQueue(member as ApiClient, { event_types: ['realm_export', 'realm'] }),
        ),
      ])
      const { id } = await administrator.call(startExport, {})
      const made = await finished(id)

      expect(made).toMatchObject({
        acting_user_id: administrator.userId,
        export_type: 1,
        failed_timestamp: null,
        deleted_timestamp: null,
        progress: null,
      })
      const isOf = (wanted: (one: RealmExport) => boolean) => (event: object) =>
        ((event as { exports?: RealmExport[] }).exports ?? []).some((one) => one.id === id && wanted(one))
      await queue.waitFor(
        isOf(({ pending }) => pending),
        'the beginning',
      )
      await queue.waitFor(
        isOf(({ export_url }) => export_url !== null),
        'the end',
      )
      const answer = await get(made?.export_url)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/gzip')
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=".*\.tar\.gz"$/)
      expect([...new Uint8Array(await answer.arrayBuffer()).subarray(0, 2)]).toEqual([0x1f, 0x8b])
      const token = /\/(\d+-[\w-]{43})\//.exec(String(made?.export_url))?.[1] ?? ''
      expect((await get(String(made?.export_url).replace(token, `9${token}`))).status).toBe(404)

      await administrator.call(deleteExport, { export_id: id })
      expect((await get(made?.export_url)).status).toBe(404)
      expect(await find(owner, id)).toMatchObject({ export_url: null, deleted_timestamp: expect.any(Number) })
      await queue.waitFor(
        isOf(({ deleted_timestamp }) => deleted_timestamp !== null),
        'the deletion',
      )
      expect(await administrator.request('DELETE', `/export/realm/${id}`)).toMatchObject(
        refusal('BAD_REQUEST', { msg: 'Export already deleted' }),
      )
      await owner.call(updateRealm, { description: 'exported once' })
      // This queue would have received an export before.
      await members.waitFor(({ type }) => type === 'realm', 'the event to everyone')
      expect(members.events.filter(({ type }) => type === 'realm_export')).toEqual([])
      await Promise.all([queue.stop(), members.stop()])
    })

    test('of all data require an owner, and administrators get no link to them', async () => {
      expect(await administrator.request('POST', '/export/realm', [['export_type', '3']])).toMatchObject(
        refusal('UNAUTHORIZED_PRINCIPAL'),
      )
      const queues = await Promise.all(
        [owner, administrator].map((client) => registerQueue(client, { event_types: ['realm_export'] })),
      )
      const { id } = await owner.call(startExport, { export_type: 3 })
      expect((await finished(id))?.export_url).toEqual(expect.any(String))
      expect((await find(administrator, id))?.export_url).toBeNull()
      const ended = await Promise.all(
        queues.map((queue) =>
          queue.waitFor(
            (event) => (event['exports'] as RealmExport[]).some((one) => one.id === id && !one.pending),
            'the end',
          ),
        ),
      )
      const urls = ended.map(
        (event) => (event['exports'] as RealmExport[]).find((one) => one.id === id)?.export_url,
      )
      expect(urls).toEqual([expect.any(String), null])
      expect(await administrator.request('DELETE', `/export/realm/${id}`)).toMatchObject(
        refusal('UNAUTHORIZED_PRINCIPAL'),
      )
      await owner.call(deleteExport, { export_id: id })
      await Promise.all(queues.map((queue) => queue.stop()))
    })

    test('with the consent of users are for administrators, and contain what those may see', async () => {
      const [willing, other] = await newUsers(system(), 2)
      await sendDirectly(willing, [other], 'a word between two')
      await sendDirectly(other, [owner], 'a word to the owner')
      await willing.call(updateSettings, { allow_private_data_export: true })

      const { id } = await administrator.call(startExport, { export_type: 2 })
      await finished(id)
      const made = await find(administrator, id)

      expect(made).toMatchObject({ export_type: 2, failed_timestamp: null })
      const archive = Buffer.from(await (await get(made?.export_url)).arrayBuffer())
      const text = gunzipSync(archive).toString()
      expect(text).toContain('"scope": "consent"')
      expect(text).toContain('a word between two')
      expect(text).not.toContain('a word to the owner')
      await administrator.call(deleteExport, { export_id: id })
    })

    test('list who consented, and deliver a change to administrators', async () => {
      const [member] = await newUsers(system(), 1)
      const consentOf = async () => {
        const { export_consents } = await administrator.call(listExportConsents, {})
        return export_consents.find(({ user_id }) => user_id === member.userId)
      }
      const event_types = ['alert_words', 'realm_export_consent']
      const watchers = [await watch(administrator, { event_types }), await watch(member, { event_types })]
      expect(await consentOf()).toEqual({ user_id: member.userId, consented: false })

      const [delivered, ofMember] = await accountEventsOf(watchers, async () => {
        await member.call(updateSettings, { allow_private_data_export: true })
        expect(await consentOf()).toEqual({ user_id: member.userId, consented: true })
        await member.call(updateSettings, { allow_private_data_export: false })
      })

      const event = { type: 'realm_export_consent', user_id: member.userId }
      expect(delivered).toMatchObject([
        { ...event, consented: true },
        { ...event, consented: false },
      ])
      expect(ofMember).toEqual([])
      await stopWatching(watchers)
    })

    test('reject members, an unknown type and an unknown ID', async () => {
      const [member] = await newUsers(system(), 1)
      for (const [method, path] of [
        ['GET', '/export/realm'],
        ['GET', '/export/realm/consents'],
        ['POST', '/export/realm'],
        ['DELETE', '/export/realm/1'],
      ] as const)
        expect(await member?.request(method, path)).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
      expect(await owner.request('POST', '/export/realm', [['export_type', '4']])).toMatchObject({
        status: 400,
      })
      expect(await owner.request('DELETE', '/export/realm/999999')).toMatchObject(
        refusal('BAD_REQUEST', { msg: 'Invalid data export ID' }),
      )
    })
  })
}
