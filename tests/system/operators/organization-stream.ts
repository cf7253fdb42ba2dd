import { endpoints, type LogEntry } from '@tms/contracts'
import { type Broker, connectBroker, createLog, createLogReader } from '@tms/service-kit'
import type { TestOrganization, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environmentOf, runManageHere } from '../support/run-manage.ts'
import { until } from '../support/until.ts'
import { newChannel, sendToChannel } from '../support/users-and-channels.ts'

const silent = createLog('tests', 'silent')

export const organizationStreamTests = (system: () => TestSystem): void => {
  let organization: TestOrganization
  let broker: Broker
  const manage = (command: string, ...more: string[]) =>
    runManageHere(environmentOf(system()), [command, '--organization', 'streamed', ...more])
  const create = (...more: string[]) => manage('create-organization-stream', ...more)
  /** Reads a stream from its beginning. */
  const read = (queue: string) => {
    const entries: LogEntry[] = []
    const onEntry = ({ body }: { body: string }) => void entries.push(JSON.parse(body) as LogEntry)
    const reader = createLogReader({ broker, queue, log: silent, onEntry })
    reader.seek('first')
    return { entries, close: () => reader.close() }
  }

  describe('the stream of an organization', () => {
    beforeAll(async () => {
      organization = await system().createOrganization('streamed')
      broker = connectBroker(system().servers.rabbitmq.url, silent, async () => {})
    })
    afterAll(() => broker?.close())

    test('has all of its events in their order, and none of others', async () => {
      const { code, stdout } = await create('--json')
      expect(code).toBe(0)
      const { stream, address, commands } = JSON.parse(stdout) as Record<string, string>
      expect(stream).toMatch(new RegExp(`domain\\.organization\\.${organization.realmId}$`))
      expect(new URL(address ?? '').username).toBe(stream)
      expect(commands).toEqual([
        expect.stringContaining(`add_user '${stream}' '${new URL(address ?? '').password}'`),
        expect.stringContaining(`'^$' '^$' '^${stream?.replaceAll('.', '\\.')}$'`),
      ])
      const { owner } = organization
      const channel = await newChannel(owner)
      const others = await newChannel(system().owner)
      const ids: number[] = []
      for (let i = 0; i < 20; i++) {
        await sendToChannel(system().owner, others.id)
        ids.push(await sendToChannel(owner, channel.id))
      }
      await owner.call(endpoints.messaging.setTypingStatus, { op: 'start', to: [owner.userId] })
      const { entries, close } = read(stream ?? '')
      const sent = () =>
        entries
          .filter(({ event }) => event === 'messaging.message_sent.v1')
          .map(({ payload }) => (payload as { message: { id: number } }).message.id)
      await until(async () => sent().includes(ids.at(-1) ?? 0) && entries.some(({ seq }) => seq === 0))
      await close()

      expect(new Set(entries.map(({ realm_id }) => realm_id))).toEqual(new Set([organization.realmId]))
      // The first is the notice of the new channel.
      expect(sent().slice(1)).toEqual(ids)
      const numbers = entries.filter(({ source }) => source === 'messaging').map(({ seq }) => seq)
      expect(numbers.filter((seq) => seq > 0)).toEqual(
        numbers.filter((seq) => seq > 0).toSorted((a, b) => a - b),
      )
    })

    test('is created once, keeps what was chosen, and is deleted with its events', async () => {
      await create('--days', '7')
      expect(await create('--days', '7')).toMatchObject({ code: 0 })
      expect(await create('--days', '8')).toMatchObject({
        ...{ code: 1, stderr: expect.stringContaining('exists and keeps more or less than that') },
      })
      expect(await create('--gib', '0')).toMatchObject({ code: 2, stderr: expect.stringContaining('--gib') })

      const { stdout } = await manage('delete-organization-stream', '--json')

      const { stream } = JSON.parse(stdout) as { stream: string }
      const channel = await broker.channel()
      channel.on('error', () => {})
      await expect(channel.checkQueue(stream)).rejects.toThrow('NOT_FOUND')
      expect(await manage('delete-organization-stream')).toMatchObject({ code: 0 })
    })
  })
}
