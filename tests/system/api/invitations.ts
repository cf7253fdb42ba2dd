import { endpoints, Role, systemGroupIds } from '@tms/contracts'
import type { Answer, ApiClient, TestSystem } from '@tms/test-kit'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { invitationTo, invite, newAddress, newLink } from '../support/invitations.ts'
import { linkIn, mailsTo, waitForMail } from '../support/mails.ts'
import { until } from '../support/until.ts'
import { newChannel, newUserOfRole } from '../support/users-and-channels.ts'

const { inviteByEmail, createInviteLink, listInvitations, resendInvitation, revokeInvitation } =
  endpoints.users
const { createUserGroup, revokeInvitationLink } = endpoints.users
const { updateRealm } = endpoints.realm
const DAY_SECONDS = 86_400

type Name = 'owner' | 'administrator' | 'moderator' | 'member' | 'guest'
const DENIED = refusal('BAD_REQUEST')
const OWNERS_ONLY = refusal('UNAUTHORIZED_PRINCIPAL')
const { owner: OWNER, administrator: ADMIN, moderator: MOD, member: MEMBER, guest: GUEST } = Role

export const invitationTests = (system: () => TestSystem): void => {
  let usersByRole: Record<Name, ApiClient>
  let open: { id: number }
  let secret: { id: number }
  beforeAll(async () => {
    const { owner } = system()
    const [administrator, moderator, member, guest] = [
      await newUserOfRole(system(), ADMIN),
      await newUserOfRole(system(), MOD),
      await newUserOfRole(system(), MEMBER),
      await newUserOfRole(system(), GUEST),
    ]
    usersByRole = { owner, administrator, moderator, member, guest }
    open = await newChannel(owner)
    secret = await newChannel(owner, { isPrivate: true })
  })

  describe('permission to invite', () => {
    afterEach(() =>
      system().owner.call(updateRealm, {
        invite_to_realm_policy: 1,
        create_multiuse_invite_group: 2,
        invite_to_stream_policy: 1,
      }),
    )

    /** Who may join. */
    const allowed = async (request: (client: ApiClient) => Promise<Answer>) => {
      const found: string[] = []
      for (const [name, client] of Object.entries(usersByRole)) {
        const answer = await request(client)
        if (answer.status !== 200) expect(answer).toMatchObject(DENIED)
        else found.push(name)
      }
      return found
    }

    test.each([
      [1, ['owner', 'administrator', 'moderator', 'member']],
      [2, ['owner', 'administrator']],
      [3, ['owner', 'administrator', 'moderator', 'member']],
      [4, ['owner', 'administrator', 'moderator']],
      [6, []],
    ])('by mail under policy %i: %s', async (invite_to_realm_policy, expected) => {
      await system().owner.call(updateRealm, { invite_to_realm_policy })

      expect(await allowed((client) => client.send(inviteByEmail, by(',')))).toEqual(expected)
    })

    test.each([
      [2, ['owner', 'administrator']],
      [3, ['owner', 'administrator', 'moderator']],
      [4, ['owner', 'administrator', 'moderator', 'member']],
      [5, ['owner', 'administrator', 'moderator', 'member']],
      [8, []],
    ])('by link if group %i may: %s', async (create_multiuse_invite_group, expected) => {
      await system().owner.call(updateRealm, { create_multiuse_invite_group })

      expect(await allowed((client) => client.send(createInviteLink, {}))).toEqual(expected)
    })

    test.each([
      ['owner', { [OWNER]: true, [ADMIN]: true, [MOD]: true, [MEMBER]: true, [GUEST]: true }],
      ['administrator', { [ADMIN]: true, [MOD]: true, [MEMBER]: true, [GUEST]: true }],
      ['moderator', { [MOD]: true, [MEMBER]: true, [GUEST]: true }],
      ['member', { [MEMBER]: true, [GUEST]: true }],
    ] as [Name, object][])('to roles equal to their own or lower: %s', async (name, may) => {
      await system().owner.call(updateRealm, { create_multiuse_invite_group: 5 })
      for (const role of Object.values(Role)) {
        const answer = String(role) in may ? success() : role === OWNER ? OWNERS_ONLY : DENIED
        const input = { ...by(','), invite_as: role }

        expect([role, await usersByRole[name].send(inviteByEmail, input)]).toMatchObject([role, answer])
        expect([role, await usersByRole[name].send(createInviteLink, { invite_as: role })]).toMatchObject([
          role,
          answer,
        ])
      }
    })

    test('only to channels that they can use, and only if they may subscribe others', async () => {
      const { member, owner } = usersByRole
      const into = (...stream_ids: number[]) => ({ ...by(newAddress()), stream_ids })
      expect(await member.send(inviteByEmail, into(open.id))).toMatchObject(success())
      expect(await member.send(inviteByEmail, into(open.id, secret.id))).toMatchObject(DENIED)
      expect(await owner.send(inviteByEmail, into(open.id, secret.id))).toMatchObject(success())
      expect(await member.send(inviteByEmail, into(2 ** 40))).toMatchObject(DENIED)

      await owner.call(updateRealm, { invite_to_stream_policy: 2 })
      expect(await member.send(inviteByEmail, into(open.id))).toMatchObject(DENIED)
      const withDefaults = { ...into(), include_realm_default_subscriptions: true }
      expect(await member.send(inviteByEmail, withDefaults)).toMatchObject(success())
      expect(await owner.send(inviteByEmail, into(open.id))).toMatchObject(success())
    })
  })

  describe('invitations', () => {
    test('name groups that the inviter may add to, which are no system groups', async () => {
      const { owner, member } = usersByRole
      const make = (client: ApiClient, name: string) =>
        client.call(createUserGroup, { name, description: '', members: [client.userId] })
      const [own, others] = [await make(member, 'Own group'), await make(owner, 'Group of others')]
      const into = (...group_ids: number[]) => ({ ...by(newAddress()), group_ids })
      await owner.call(updateRealm, { create_multiuse_invite_group: 5 })

      for (const [client, group_ids, answer] of [
        [member, [own.group_id], success()],
        [owner, [own.group_id, others.group_id], success()],
        [member, [own.group_id, others.group_id], DENIED],
        [owner, [systemGroupIds['role:members']], DENIED],
        [owner, [2 ** 40], DENIED],
      ] as const) {
        expect(await client.send(inviteByEmail, into(...group_ids))).toMatchObject(answer)
        expect(await client.send(createInviteLink, { group_ids: [...group_ids] })).toMatchObject(answer)
      }
      await owner.call(updateRealm, { create_multiuse_invite_group: 2 })
    })
  })

  describe('sending invitations', () => {
    test('mails each address once, with a distinct link', async () => {
      const [one, other] = [newAddress(), newAddress()]
      const list = `${one}, Ann Other <${other}>\n${one.toUpperCase()},,`

      await usersByRole.member.call(inviteByEmail, by(list))

      const links = await Promise.all(
        [one, other].map(async (to) => linkIn(await waitForMail(system(), to, 'invites you'))),
      )
      expect(new Set(links).size).toBe(2)
      for (const link of links) expect(link).toMatch(`${system().baseUrl}/accounts/do_confirm/`)
      expect(await mailsTo(system(), one)).toHaveLength(1)
    })

    test('are listed with the requested settings', async () => {
      const [standard, chosen, eternal] = [newAddress(), newAddress(), newAddress()]
      const { member, owner } = usersByRole
      await member.call(inviteByEmail, by(standard))
      const choice = {
        invite_as: GUEST,
        invite_expires_in_minutes: 60,
        notify_referrer_on_join: false,
      } as const
      await member.call(inviteByEmail, { ...by(chosen), ...choice })
      await member.call(inviteByEmail, { ...by(eternal), invite_expires_in_minutes: null })

      const common = { invited_by_user_id: member.userId, is_multiuse: false, invited: expect.any(Number) }
      const first = await invitationTo(owner, standard)
      expect(first).toMatchObject({
        ...common,
        email: standard,
        invited_as: 400,
        notify_referrer_on_join: true,
      })
      expect((first?.expiry_date ?? 0) - (first?.invited ?? 0)).toBe(10 * DAY_SECONDS)
      const second = await invitationTo(owner, chosen)
      expect(second).toMatchObject({ ...common, invited_as: 600, notify_referrer_on_join: false })
      expect((second?.expiry_date ?? 0) - (second?.invited ?? 0)).toBe(3_600)
      expect(await invitationTo(owner, eternal)).toMatchObject({ ...common, expiry_date: null })
    })

    test('create a second record when repeated', async () => {
      const email = newAddress()

      const [first, second] = [
        await invite(usersByRole.member, email),
        await invite(usersByRole.owner, email),
      ]

      expect(second).toBeGreaterThan(first)
    })

    test.each([
      ['no address', { invitee_emails: '' }],
      ['no such role', { invite_as: 500 as 400 }],
      ['no time at all', { invite_expires_in_minutes: 0 }],
      ['more people than one call takes', { invitee_emails: manyAddresses(1_001) }],
    ])('rejects %s', async (_, input) => {
      expect(await usersByRole.owner.send(inviteByEmail, { ...by('x@example.com'), ...input })).toMatchObject(
        DENIED,
      )
    })

    test('accepts a thousand at once', async () => {
      expect(await usersByRole.owner.send(inviteByEmail, by(manyAddresses(1_000)))).toMatchObject(success())
    })
  })

  describe('INVITATION_FAILED', () => {
    afterEach(() =>
      system().owner.call(updateRealm, { emails_restricted_to_domains: false, invite_required: true }),
    )
    const failure = (fields: object) =>
      refusal('INVITATION_FAILED', {
        errors: [],
        sent_invitations: false,
        daily_limit_reached: false,
        license_limit_reached: false,
        ...fields,
      })
    const reason = expect.stringMatching(/./)

    test('lists invalid, disposable and existing addresses, and invites nobody', async () => {
      const email = newAddress()
      const usedEmail = usersByRole.guest.email
      const list = `${email},nobody,ann@mailinator.com,${usedEmail}`

      const answer = await usersByRole.member.send(inviteByEmail, by(list))

      const errors = [
        ['nobody', reason, false],
        ['ann@mailinator.com', reason, false],
        [usedEmail, reason, false],
      ]
      expect(answer).toMatchObject(failure({ errors }))
      expect(await invitationTo(usersByRole.owner, email)).toBeUndefined()
    })

    test('lists domains that the organization does not accept', async () => {
      const { owner } = usersByRole
      await owner.call(updateRealm, { emails_restricted_to_domains: true })

      const errors = [
        ['ann@example.com', reason, false],
        ['ann+1@example.com', reason, false],
      ]
      expect(await owner.send(inviteByEmail, by('ann@example.com,ann+1@example.com'))).toMatchObject(
        failure({ errors }),
      )
    })

    test('says when all addresses have an account, including the notification bot', async () => {
      const bot = `notification-bot@${new URL(system().baseUrl).hostname}`
      const list = `${usersByRole.member.email.toUpperCase()},${usersByRole.guest.email},${bot}`

      const errors = [
        [usersByRole.member.email.toUpperCase(), reason, false],
        [usersByRole.guest.email, reason, false],
        [bot, reason, false],
      ]
      expect(await usersByRole.owner.send(inviteByEmail, by(list))).toMatchObject(failure({ errors }))
    })

    test('invites the others if some addresses have an account', async () => {
      const email = newAddress()

      const answer = await usersByRole.member.send(inviteByEmail, by(`${email},${usersByRole.guest.email}`))

      const errors = [[usersByRole.guest.email, reason, false]]
      expect(answer).toMatchObject(failure({ errors, sent_invitations: true }))
      expect(await invitationTo(usersByRole.member, email)).toBeDefined()
    })

    test('keeps new members of an open organization from inviting', async () => {
      const { owner, member, moderator, administrator } = usersByRole
      await owner.call(updateRealm, { invite_required: false })

      for (const one of [member, moderator])
        expect(await one.send(inviteByEmail, by(newAddress()))).toMatchObject(failure({}))
      expect(await administrator.send(inviteByEmail, by(newAddress()))).toMatchObject(success())
    })
  })

  describe('a reusable link', () => {
    test('is listed with its URL, under an ID of its own sequence', async () => {
      const { owner } = usersByRole
      const { invite_link } = await owner.call(createInviteLink, {
        invite_as: GUEST,
        invite_expires_in_minutes: null,
      })

      const { invites } = await owner.call(listInvitations, {})
      const link = invites.find((one) => one.is_multiuse && one.link_url === invite_link)
      expect(invite_link).toMatch(new RegExp(`^${system().baseUrl}/join/[^/]{24,}/$`))
      expect(link).toMatchObject({ is_multiuse: true, invited_as: 600, expiry_date: null })
      expect(link).toMatchObject({ invited_by_user_id: owner.userId })
      expect(link).not.toHaveProperty('email')
    })

    test('is revoked once', async () => {
      const { id } = await newLink(usersByRole.owner)

      expect(await usersByRole.owner.send(revokeInvitationLink, { invite_id: id })).toMatchObject(success())
      expect(await usersByRole.owner.send(revokeInvitationLink, { invite_id: id })).toMatchObject(DENIED)
    })
  })

  describe('permission to list, revoke and resend', () => {
    const may = (...names: Name[]) => names
    test.each([
      ['a member’s', 'member', MEMBER, may('owner', 'administrator', 'member')],
      ['a moderator’s', 'moderator', MEMBER, may('owner', 'administrator', 'moderator')],
      ['an owner’s to be administrator', 'owner', ADMIN, may('owner', 'administrator')],
      ['an owner’s to be owner', 'owner', OWNER, may('owner')],
    ] as const)('%s', async (_, creator, role, allowed) => {
      for (const [name, client] of Object.entries(usersByRole)) {
        const email = newAddress()
        const invite_id = await invite(usersByRole[creator], email, { invite_as: role })
        const denied = name === 'administrator' ? OWNERS_ONLY : DENIED
        const expected = (allowed as readonly string[]).includes(name) ? success() : denied
        if (name !== 'guest') {
          const isListed = allowed.includes(name as never) || name === 'administrator'
          expect([name, (await invitationTo(client, email)) !== undefined]).toEqual([name, isListed])
        }

        expect([name, await client.send(resendInvitation, { invite_id })]).toMatchObject([name, expected])
        expect([name, await client.send(revokeInvitation, { invite_id })]).toMatchObject([name, expected])
      }
    })

    test('guests cannot read the list', async () => {
      expect(await usersByRole.guest.send(listInvitations, {})).toMatchObject(DENIED)
    })

    test('only owners see a link to become owner', async () => {
      const { id: invite_id } = await newLink(usersByRole.owner, { invite_as: OWNER })

      expect(await usersByRole.administrator.send(revokeInvitationLink, { invite_id })).toMatchObject(
        OWNERS_ONLY,
      )
      expect(await usersByRole.member.send(revokeInvitationLink, { invite_id })).toMatchObject(DENIED)
    })

    test('an expired or used invitation is unknown', async () => {
      const invite_id = await invite(usersByRole.member, newAddress())
      await usersByRole.member.call(revokeInvitation, { invite_id })

      expect(await usersByRole.member.send(revokeInvitation, { invite_id })).toMatchObject(DENIED)
      expect(await usersByRole.member.send(resendInvitation, { invite_id })).toMatchObject(DENIED)
      expect(await usersByRole.owner.send(resendInvitation, { invite_id: 2 ** 40 })).toMatchObject(DENIED)
    })

    test('of two concurrent revocations, one succeeds', async () => {
      const invite_id = await invite(usersByRole.member, newAddress())

      const answers = await Promise.all(
        [usersByRole.member, usersByRole.owner].map((client) => client.send(revokeInvitation, { invite_id })),
      )

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]))
    })
  })

  describe('resending', () => {
    test('mails another link, keeps the expiry, and returns the time', async () => {
      const email = newAddress()
      const invite_id = await invite(usersByRole.member, email)
      const before = await invitationTo(usersByRole.member, email)
      const link = linkIn(await waitForMail(system(), email, 'invites you'))

      const { timestamp } = await usersByRole.member.call(resendInvitation, { invite_id })

      await until(async () => (await mailsTo(system(), email)).length === 2)
      const [, second] = await mailsTo(system(), email)
      expect(second && linkIn(second)).not.toBe(link)
      const after = await invitationTo(usersByRole.member, email)
      expect(after).toMatchObject({ expiry_date: before?.expiry_date, invited: timestamp })
    })
  })
}

const by = (invitee_emails: string) => ({ invitee_emails, stream_ids: [] as number[] })

const manyAddresses = (count: number): string =>
  Array.from({ length: count }, (_, index) => `many-${index}@example.com`).join('\n')
