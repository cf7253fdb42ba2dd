import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints, type MessageRecord } from '@tms/contracts'
import {
  type ApiClient,
  createTestFolder,
  type EventQueue,
  registerQueue,
  startTestSystem,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Alertmanager, canStartAlertmanager, startAlertmanager } from './support/alertmanager.ts'
import { newChannel, newUsers } from './support/users-and-channels.ts'

const { createIntegration, listWebhookDeliveries } = endpoints.messaging

let product: TestSystem
let ann: ApiClient
let queue: EventQueue
let channel: { id: number; name: string }
beforeAll(async () => {
  product = await startTestSystem({ env: process.env })
  ;[ann] = await newUsers(product, 1)
  channel = await newChannel(ann)
  queue = (await registerQueue(ann, { apply_markdown: false })).follow()
}, 180_000)
afterAll(async () => {
  await queue?.stop()
  await product?.stop()
})

const setUp = (integration: string, bot_name: string, topic?: string) =>
  ann.call(createIntegration, {
    ...{ integration, stream: String(channel.id), bot_name },
    ...(topic === undefined ? {} : { topic }),
  })
/** The messages of a bot as they came in events. */
const messagesFrom = (botId: number): MessageRecord[] =>
  queue.events
    .filter(({ type }) => type === 'message')
    .map((event) => event['message'] as MessageRecord)
    .filter(({ sender_id }) => sender_id === botId)
const received = async (botId: number, count: number) => {
  await queue.until(() => messagesFrom(botId).length >= count, `${count} messages of a sender`)
  return messagesFrom(botId)
}

const where = canStartAlertmanager(process.env) ? describe : describe.skip

where('an Alertmanager', () => {
  let alertmanager: Alertmanager
  let native: { user_id: number; url: string; setup: string }
  let slack: { user_id: number; url: string }
  beforeAll(async () => {
    native = await setUp('alertmanager', 'Alerts of Prometheus')
    slack = await setUp('slack_incoming', 'Alerts for Slack', 'slack')
    // The lines as they are to be pasted.
    const [, lines = ''] = /```yaml\n([\s\S]*?)\n```/.exec(native.setup) ?? []
    const more = `    slack_configs:\n      - api_url: "${slack.url}"\n        send_resolved: true`
    alertmanager = await startAlertmanager(process.env, `${lines}\n${more}`)
  }, 180_000)
  afterAll(() => alertmanager?.stop())

  test('brings an alert, and its end, into the poll of a client', async () => {
    const labels = { alertname: 'DiskFull', instance: 'db1:9100' }

    await alertmanager.alert(labels, 'firing')
    await received(native.user_id, 1)
    await received(slack.user_id, 1)
    await alertmanager.alert(labels, 'resolved')

    const source = '([source](http://prometheus.example/graph?tab=0))'
    expect(await received(native.user_id, 2)).toMatchObject([
      { subject: 'db1:9100', content: `:alert: **FIRING** DiskFull ${source}` },
      { subject: 'db1:9100', content: `:squared_ok: **Resolved** DiskFull ${source}` },
    ])
    expect(await received(slack.user_id, 2)).toMatchObject([
      { subject: 'slack', content: expect.stringContaining('[FIRING:1] DiskFull') },
      { subject: 'slack', content: expect.stringContaining('[RESOLVED] DiskFull') },
    ])
  })

  test('takes the answers for success', async () => {
    for (const kind of ['webhook', 'slack'])
      expect(await alertmanager.notifications(kind)).toEqual({ sent: 2, failed: 0 })
    const { deliveries } = await ann.call(listWebhookDeliveries, { bot_user_id: native.user_id })
    expect(deliveries.map(({ outcome }) => outcome)).toEqual(['posted', 'posted'])
  })
})

describe('a Git repository with the documented hook', () => {
  test('posts what is pushed', async () => {
    const { url, user_id } = await setUp('ifttt', 'Pushes')
    const folder = createTestFolder(process.env)
    const [bare, work] = [join(folder, 'shop.git'), join(folder, 'work')]
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd })
    git(folder, 'init', '-q', '--bare', bare)
    const page = readFileSync(new URL('../../docs/incoming-webhooks.md', import.meta.url), 'utf8')
    const [, hook = ''] = /```sh\n(#!\/bin\/sh\n[\s\S]*?)```/.exec(page) ?? []
    writeFileSync(
      join(bare, 'hooks', 'post-receive'),
      hook.replace(/^url=.*$/m, () => `url='${url}'`),
    )
    chmodSync(join(bare, 'hooks', 'post-receive'), 0o755)
    git(folder, 'init', '-q', '-b', 'main', work)
    const commit = (subject: string) => git(work, 'commit', '-q', '--allow-empty', '-m', subject)

    commit('Say "hello"\tin C:\\temp')
    git(work, 'push', '-q', bare, 'main')
    commit('Fix tax rounding')
    commit('Add VAT')
    git(work, 'push', '-q', bare, 'main')
    git(work, 'push', '-q', bare, 'main:other')
    git(work, 'push', '-q', bare, ':other')

    const messages = await received(user_id, 3)
    expect(messages.map(({ subject }) => subject)).toEqual(['shop / main', 'shop / main', 'shop / other'])
    expect(messages.map(({ content }) => content.replace(/[0-9a-f]{7,}/g, '…'))).toEqual([
      '* … Say "hello" in C:\\temp (Ada)',
      '* … Add VAT (Ada)\n* … Fix tax rounding (Ada)',
      expect.stringMatching(/^\* … Add VAT \(Ada\)/),
    ])
  })
})
