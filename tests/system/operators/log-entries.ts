import { domainEvents, type LogEntry } from '@tms/contracts'
import { connectBroker, createLog, declareTopology, topologyOf } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { environmentOf, runManageHere, startManage } from '../support/run-manage.ts'
import { until } from '../support/until.ts'
import { newChannel, sendToChannel } from '../support/users-and-channels.ts'
import { startStallingBroker } from './stalling-broker.ts'

const SENT = 'messaging.message_sent.v1'
/** More than one read returns. */
const WRITTEN = 5_000

let product: TestSystem
/** A namespace whose log has entries 0 to 4,999, without a writer. */
let still: Record<string, string>
/** One whose log has none. */
let empty: Record<string, string>

const listed = async (env: Record<string, string>, ...args: string[]): Promise<number[]> => {
  const { code, stdout, stderr } = await runManageHere(env, ['log-entries', '--json', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return offsetsIn(stdout)
}
const offsetsIn = (stdout: string): number[] =>
  (JSON.parse(stdout).entries as { offset: number }[]).map(({ offset }) => offset)
const numbers = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index)

export const logEntriesTests = (system: () => TestSystem): void => {
  beforeAll(async () => {
    product = system()
    still = { ...environmentOf(product), NAMESPACE: `${product.system.namespace}-still` }
    empty = { ...still, NAMESPACE: `${product.system.namespace}-empty` }
    await writeLog(still, WRITTEN)
    await writeLog(empty, 0)
  })

  describe('entries of the log', () => {
    test('are printed from the newest, the oldest or an offset, in the order of the log', async () => {
      expect(await listed(still, '--limit', '3')).toEqual(numbers(WRITTEN - 3, 3))
      expect(await listed(still, '--limit', '3000')).toEqual(numbers(WRITTEN - 3_000, 3_000))
      expect(await listed(still, '--limit', '10000')).toEqual(numbers(0, WRITTEN))
      expect(await listed(still, '--from', 'first', '--limit', '3')).toEqual([0, 1, 2])
      expect(await listed(still, '--from', String(WRITTEN - 2))).toEqual(numbers(WRITTEN - 2, 2))
      expect(await listed(still, '--from', String(WRITTEN))).toEqual([])
      expect(await listed(empty)).toEqual([])
    })

    test('are searched back to the beginning', async () => {
      expect(await listed(still, '--organization', '7', '--limit', '1')).toEqual([7])
      expect(await listed(still, '--organization', '7')).toEqual([7])
      expect(await listed(still, '--organization', '999999')).toEqual([])
    })

    test('come to an end even while more are written', async () => {
      const channel = await newChannel(product.owner)
      const own = environmentOf(product)
      let isOver = false
      const writing = (async () => {
        while (!isOver) await sendToChannel(product.owner, channel.id)
      })()

      const found = await listed(own, '--from', 'first', '--event', SENT, '--limit', '10000').finally(() => {
        isOver = true
      })
      await writing
      expect(found.length).toBeGreaterThan(0)
    })

    test('of a namespace without a log are not awaited', async () => {
      const wrong = { ...environmentOf(product), NAMESPACE: 'nobodys' }

      expect(await runManageHere(wrong, ['log-entries'])).toEqual({
        code: 1,
        stdout: '',
        stderr: 'RabbitMQ has no stream nobodys.domain.log: NAMESPACE must be the one of this installation\n',
      })
    })

    test('that stop arriving are reported, or printed as far as they came after an interruption', async () => {
      const reading = async (nth: number) => {
        const broker = await startStallingBroker(still['RABBITMQ_URL'] ?? '', nth)
        const env = { ...still, RABBITMQ_URL: broker.url }
        const running = startManage(env, ['log-entries', '--json', '--from', 'first', '--limit', '10000'])
        await broker.stalled
        return { ...running, broker }
      }
      // The end is searched first, then the ranges before it.
      const [interrupted, left, repeater] = await Promise.all([reading(3), reading(3), reading(1)])
      interrupted.kill('SIGINT')

      const { code, stdout, stderr } = await interrupted.ended
      expect({ code, stderr }).toEqual({ code: 130, stderr: 'Interrupted.\n' })
      expect(offsetsIn(stdout)).toEqual(numbers(0, 2_000))
      expect(await left.ended).toEqual({
        code: 3,
        stdout: '',
        stderr: 'RabbitMQ stopped delivering the log at offset 2000 of 4999\n',
      })
      expect(await repeater.ended).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('does not deliver the newest entry'),
      })
      for (const { broker } of [interrupted, left, repeater]) await broker.close()
    })
  })
}

/** Writes a log in which each entry's organization is its number. Waits until RabbitMQ counts the entries. */
async function writeLog(
  { RABBITMQ_URL = '', NAMESPACE = '' }: Record<string, string>,
  count: number,
): Promise<void> {
  const topology = topologyOf(NAMESPACE)
  const broker = connectBroker(RABBITMQ_URL, createLog('tests', 'silent'), (channel) =>
    declareTopology(channel, topology),
  )
  await new Promise<void>((resolve) => broker.onConnected(resolve))
  const channel = await broker.confirmChannel()
  const { producer, name } = domainEvents.events.logMarked
  for (let realm_id = 0; realm_id < count; realm_id++) {
    const entry: LogEntry = {
      ...{
        stream: producer,
        source: producer,
        seq: 0,
        xid: 0,
        at: 0,
        event: name,
        realm_id,
        request_id: null,
      },
      payload: { marker: 'x'.repeat(100) },
    }
    channel.sendToQueue(topology.log, Buffer.from(JSON.stringify(entry)), { persistent: true })
    if (realm_id % 100 === 0) await channel.waitForConfirms()
  }
  await channel.waitForConfirms()
  if (count > 0) await until(async () => (await channel.checkQueue(topology.log)).messageCount > 0)
  await broker.close()
}
