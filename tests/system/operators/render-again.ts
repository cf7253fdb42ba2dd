import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { endpoints } from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ended, environmentOf, runManageHere, startManage } from '../support/run-manage.ts'
import { newChannel, newUsers, sendToChannel } from '../support/users-and-channels.ts'

let product: TestSystem
let pool: Pool | null = null
const manage = (...args: string[]): Promise<Ended> =>
  runManageHere(environmentOf(product), ['render-again', ...args])
const rendered = async (...args: string[]) => {
  const { code, stdout, stderr } = await manage(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Record<'last_id' | 'up_to' | 'unchanged' | 'changed' | 'failed', number>
}
/** Stores what an earlier release would have stored. */
const renderAsBefore = (messageIds: readonly number[], html: string) =>
  pool?.query('update messages set rendered_content = $2, has_link = false where id = any($1)', [
    messageIds,
    html,
  ])
const htmlOf = async (reader: ApiClient, message_id: number): Promise<string> =>
  (await reader.call(endpoints.messaging.getMessage, { message_id })).message.content
const linkedIn = async (reader: ApiClient, channel: string): Promise<number[]> => {
  const narrow = [
    { operator: 'channel', operand: channel },
    { operator: 'has', operand: 'link' },
  ]
  const query = { anchor: 'newest', num_before: 100, num_after: 0, narrow } as const
  return (await reader.call(endpoints.messaging.getMessages, query)).messages.map(({ id }) => id)
}

const VIEWS = '<p>go to <a href="http://views.org">views.org</a></p>'

export const renderAgainTests = (system: () => TestSystem): void => {
  beforeAll(() => {
    product = system()
    pool = createPool(product.system.databaseUrls.messaging, 2, createLog('test', 'silent'))
  })
  afterAll(() => pool?.end(), 60_000)

  describe('a message that an earlier release rendered', () => {
    test('is rendered as by this release, is found by its links, and nothing is delivered', async () => {
      const [writer, reader] = await newUsers(product, 2)
      const channel = await newChannel(product.owner, { others: [writer, reader] })
      const plain = await sendToChannel(writer, channel.id, 'go to views.org')
      const right = await sendToChannel(writer, channel.id, '*right*')
      const queue = (await registerQueue(reader)).follow()
      await renderAsBefore([plain], '<p>go to views.org</p>')
      expect(await linkedIn(reader, channel.name)).toEqual([])

      const first = await rendered()
      expect(first).toMatchObject({ changed: 1, failed: 0 })
      expect(first.last_id).toBe(first.up_to)
      expect(await htmlOf(reader, plain)).toBe(VIEWS)
      expect(await htmlOf(reader, right)).toBe('<p><em>right</em></p>')
      expect(await linkedIn(reader, channel.name)).toEqual([plain])
      const last = await sendToChannel(writer, channel.id, 'last')
      await queue.waitFor(
        (event) => event.type === 'message' && (event['message'] as { id: number }).id === last,
      )
      expect(queue.events.map(({ type }) => type)).not.toContain('update_message')

      expect(await rendered()).toMatchObject({ changed: 0, unchanged: first.unchanged + 2 })
    })

    test('keeps its mentions', async () => {
      const [writer, named] = await newUsers(product, 2)
      const { user } = await writer.call(endpoints.users.getUser, { user_id: named.userId })
      const channel = await newChannel(product.owner, { others: [writer, named] })
      const text = `@**${user.full_name}** in #**${channel.name}>new** views.org`
      const id = await sendToChannel(writer, channel.id, text)
      const before = await htmlOf(named, id)
      expect(before).toContain(`data-user-id="${named.userId}"`)
      await renderAsBefore([id], before.replace(/<a href="http:..views.org">views.org<.a>/, 'views.org'))
      await named.call(endpoints.users.updateSettings, { full_name: `${user.full_name} the Second` })
      await product.owner.call(endpoints.messaging.updateChannel, {
        stream_id: channel.id,
        new_name: `${channel.name} the second`,
      })
      const { rendered: html } = await writer.call(endpoints.messaging.renderMessage, { content: text })
      expect(html).not.toMatch(/data-user-id|data-stream-id/)

      expect(await rendered('--after', String(id - 1))).toMatchObject({ changed: 1 })
      expect(await htmlOf(named, id)).toBe(before)
    })

    test('is not changed in other organizations, and before the starting point', async () => {
      const [writer] = await newUsers(product, 1)
      const channel = await newChannel(product.owner, { others: [writer] })
      const early = await sendToChannel(writer, channel.id, 'go to views.org')
      const late = await sendToChannel(writer, channel.id, 'go to views.org')
      await renderAsBefore([early, late], '<p>old</p>')
      await runManageHere(environmentOf(product), [
        'create-organization',
        'elsewhere',
        '--name',
        'Elsewhere',
        '--owner-email',
        'boss@elsewhere.example.com',
      ])

      expect(await rendered('elsewhere')).toMatchObject({ changed: 0 })
      expect(await htmlOf(writer, late)).toBe('<p>old</p>')
      expect(await rendered('.', '--after', String(early))).toMatchObject({ changed: 1 })
      expect([await htmlOf(writer, early), await htmlOf(writer, late)]).toEqual(['<p>old</p>', VIEWS])
      const { stdout } = await manage('.')
      expect(stdout).toMatch(/^Changed +1$/m)
      expect(await htmlOf(writer, early)).toBe(VIEWS)
    })

    test('keeps an edit of its author meanwhile', async () => {
      const [writer] = await newUsers(product, 1)
      const channel = await newChannel(product.owner, { others: [writer] })
      const ids = await Promise.all(
        Array.from({ length: 30 }, (_, i) => sendToChannel(writer, channel.id, `old ${i}`)),
      )
      await renderAsBefore(ids, '<p>old</p>')

      const [done] = await Promise.all([
        rendered(),
        ...ids.map((message_id) =>
          writer.call(endpoints.messaging.editMessage, { message_id, content: `new ${message_id}` }),
        ),
      ])
      expect(done.failed).toBe(0)
      expect(await Promise.all(ids.map((id) => htmlOf(writer, id)))).toEqual(
        ids.map((id) => `<p>new ${id}</p>`),
      )
    })

    test.each([
      [['nowhere'], { code: 1, stderr: expect.stringContaining("There is no organization at 'nowhere'") }],
      [['--after', 'x'], { code: 2, stderr: "--after: 'x' is not a message ID\n" }],
    ])('rejects %j', async (args, expected) => {
      expect(await manage(...args)).toMatchObject({ ...expected, stdout: '' })
    })
  })

  describe('rendering again that does not finish', () => {
    /** Moves from one message to the next with each call; an action before the response to a call is given by number. */
    const startMessaging = async (before: Record<number, (server: Server) => void>): Promise<Server> => {
      let calls = 0
      const server = createServer((_request, response) => {
        calls += 1
        before[calls]?.(server)
        if (response.destroyed) return
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ last_id: calls, up_to: 100, unchanged: 1, changed: 0, failed: 0 }))
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      return server
    }
    const environmentWith = (server: Server) => {
      const { port } = server.address() as AddressInfo
      return { ...environmentOf(product), MESSAGING_URL: `http://127.0.0.1:${port}` }
    }

    test('says how to continue after an interruption', async () => {
      const server = await startMessaging({ 3: () => running.kill('SIGINT') })
      const running = startManage(environmentWith(server), ['render-again'])
      const { code, stdout, stderr } = await running.ended
      server.close()

      expect({ code, stderr }).toEqual({ code: 130, stderr: 'Interrupted.\n' })
      const after = Number(/^To continue: render-again --after (\d+)$/m.exec(stdout)?.[1])
      expect(after).toBeGreaterThanOrEqual(3)
      expect(after).toBeLessThan(100)
    })

    test('says how to continue when the service becomes unavailable', async () => {
      const server = await startMessaging({
        3: (dying) => {
          dying.close()
          dying.closeAllConnections()
        },
      })
      const ended = await runManageHere(environmentWith(server), ['render-again', '.'])

      expect(ended).toMatchObject({ code: 3, stdout: '' })
      expect(ended.stderr).toMatch(/^To continue: render-again \. --after 2$/m)
    })
  })
}
