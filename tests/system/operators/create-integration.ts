import { endpoints } from '@tms/contracts'
import type { TestSystem } from '@tms/test-kit'
import { describe, expect, test } from 'vitest'
import { environmentOf, runManageHere } from '../support/run-manage.ts'
import { newChannel, newUsers } from '../support/users-and-channels.ts'

export const createIntegrationTests = (system: () => TestSystem): void => {
  const create = (...args: string[]) =>
    runManageHere(environmentOf(system()), ['create-integration', ...args])
  const refused = (message: string) => ({ code: 1, stdout: '', stderr: expect.stringContaining(message) })

  describe('create-integration', () => {
    test('prints the address, and the lines that go into the configuration of the program', async () => {
      const channel = await newChannel(system().owner)

      const { code, stdout } = await create(
        'alertmanager',
        '--channel',
        channel.name,
        '--bot-name',
        'Ops alerts',
      )

      expect(code).toBe(0)
      expect(stdout).toMatch(/^Bot +Ops alerts \(ID \d+\)$/m)
      const url = /^Address +(\S+)$/m.exec(stdout)?.[1] ?? ''
      expect(stdout).toContain(`webhook_configs:\n      - url: "${url}"`)
      const { pathname, search } = new URL(url)
      await system().anonymous.fetch(pathname + search, {
        method: 'POST',
        body: JSON.stringify({ alerts: [{ status: 'firing', labels: { alertname: 'Hot' } }] }),
      })
      const { messages } = await system().owner.call(endpoints.messaging.getMessages, {
        ...{ anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false },
        narrow: [{ operator: 'channel', operand: channel.name }],
      })
      expect(messages).toMatchObject([{ sender_full_name: 'Ops alerts', content: ':alert: **FIRING** Hot' }])
    })

    test('gives the bot to the owner of the organization, or to a chosen person', async () => {
      const [ann] = await newUsers(system(), 1)
      const { delivery_email } = await ann.call(endpoints.users.getOwnUser, {})
      const ownerOf = async (...more: string[]) =>
        JSON.parse((await create('json', '--json', '--organization', '.', ...more)).stdout).integration.owner
          .id

      expect(await ownerOf('--bot-name', 'First of the owner')).toBe(system().owner.userId)
      const chosen = ['--bot-name', 'First of Ann', '--owner', delivery_email ?? '', '--topic', 'x']
      expect(await ownerOf(...chosen)).toBe(ann.userId)
    })

    test('run twice says that there is such a bot', async () => {
      const args = ['json', '--bot-name', 'Only one']
      await create(...args)

      expect(await create(...args)).toEqual(refused("already somebody called 'Only one'"))
    })

    test('names what was meant by a wrong integration, and a channel that does not exist', async () => {
      expect(await create('alertmanger')).toEqual(refused('Did you mean alertmanager?'))
      expect(await create('json', '--channel', 'nowhere')).toEqual(
        refused("Channel 'nowhere' does not exist"),
      )
      expect(await create('json', '--organization', 'nowhere')).toEqual(refused("'nowhere'"))
      expect(await create('json', '--owner', 'nobody@example.com')).toEqual(refused('Nobody'))
    })
  })
}
