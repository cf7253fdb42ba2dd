import { endpoints, Role } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newUsers } from '../support/users-and-channels.ts'

const { addEmailDomain, listEmailDomains, removeEmailDomain, updateEmailDomain, updateRealm } =
  endpoints.realm
const { inviteByEmail } = endpoints.users

export const emailDomainTests = (system: () => TestSystem): void => {
  describe('e-mail domains', () => {
    let owner: ApiClient
    let member: ApiClient
    beforeAll(async () => {
      owner = system().owner
      ;[member] = await newUsers(system(), 1)
    })
    afterEach(async () => {
      await owner.call(updateRealm, { emails_restricted_to_domains: false })
      for (const { domain } of await list()) await owner.call(removeEmailDomain, { domain })
    })
    const list = async () => (await member.call(listEmailDomains, {})).domains

    test('are stored in lower case, delivered one by one, and included in the register state', async () => {
      const types = ['realm_domains']
      const queue = await registerQueue(member, { event_types: types, fetch_event_types: types })
      expect(
        await owner.send(addEmailDomain, { domain: ' Example.COM', allow_subdomains: false }),
      ).toMatchObject(success({ new_domain: [expect.any(Number), 'example.com'] }))
      await owner.call(updateEmailDomain, { domain: 'EXAMPLE.com', allow_subdomains: true })

      const changed = { domain: 'example.com', allow_subdomains: true }
      expect(await list()).toEqual([changed])
      const { state } = await registerQueue(member, { fetch_event_types: ['realm_domains'] })
      expect(state).toMatchObject({ realm_domains: [changed] })
      await owner.call(removeEmailDomain, { domain: 'Example.com' })
      expect(await list()).toEqual([])
      await queue.until(() => queue.events.length >= 3, 'the changes')
      expect(queue.events.map(({ id: _id, ...event }) => event)).toEqual([
        { type: 'realm_domains', op: 'add', realm_domain: { ...changed, allow_subdomains: false } },
        { type: 'realm_domains', op: 'change', realm_domain: changed },
        { type: 'realm_domains', op: 'remove', domain: 'example.com' },
      ])
      await queue.stop()
    })

    test('restrict invitations to users of these domains', async () => {
      await owner.call(addEmailDomain, { domain: 'in.example', allow_subdomains: false })
      await owner.call(addEmailDomain, { domain: 'below.example', allow_subdomains: true })
      await owner.call(updateRealm, { emails_restricted_to_domains: true })
      let count = 0
      const invite = async (domain: string, local = `domains-${++count}`) => {
        const answer = await owner.send(inviteByEmail, {
          invitee_emails: `${local}@${domain}`,
          stream_ids: [],
        })
        return answer.status
      }

      expect(await invite('elsewhere.example')).toBe(400)
      expect(await invite('in.example')).toBe(200)
      expect(await invite('x.in.example')).toBe(400)
      expect(await invite('x.below.example')).toBe(200)
      expect(await invite('in.example', 'some+one')).toBe(400)

      await owner.call(updateEmailDomain, { domain: 'in.example', allow_subdomains: true })
      expect(await invite('x.in.example')).toBe(200)
      for (const { domain } of await list()) await owner.call(removeEmailDomain, { domain })
      // Without any domain nobody may, rather than everyone.
      expect(await invite('in.example')).toBe(400)
      expect(await invite('elsewhere.example')).toBe(400)
    })

    test.each(['', 'example', '.example.com', 'a b.com', 'x@example.com', 'bücher.example'])(
      'reject %j',
      async (domain) => {
        expect(await owner.send(addEmailDomain, { domain, allow_subdomains: true })).toMatchObject(
          refusal('BAD_REQUEST'),
        )
        expect(await list()).toEqual([])
      },
    )

    test('are listed once, and only listed ones are changed or removed', async () => {
      const example = { domain: 'example.com', allow_subdomains: true }
      await owner.call(addEmailDomain, example)

      expect(await owner.send(addEmailDomain, example)).toMatchObject(refusal('BAD_REQUEST'))
      const unknown = { ...example, domain: 'sub.example.com' }
      expect(await owner.send(updateEmailDomain, unknown)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await owner.send(removeEmailDomain, unknown)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test.each(['administrator', 'moderator', 'member', 'guest'] as const)(
      'are changed by owners: a %s can only read them',
      async (name) => {
        const client = await system().createUser(undefined, { role: Role[name] })
        const example = { domain: 'example.com', allow_subdomains: true }
        await owner.call(addEmailDomain, example)

        for (const answer of [
          await client.send(addEmailDomain, { ...example, domain: 'example.org' }),
          await client.send(updateEmailDomain, { ...example, allow_subdomains: false }),
          await client.send(removeEmailDomain, example),
        ])
          expect(answer).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
        expect((await client.call(listEmailDomains, {})).domains).toEqual([example])
      },
    )
  })
}
