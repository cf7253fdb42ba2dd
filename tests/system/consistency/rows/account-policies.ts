import { endpoints, systemGroupIds } from '@tms/contracts'
import { onePixel } from '../../support/pictures.ts'
import { allowedWhenOn, outcomeOf, type RowGroup, refusedWhenOn } from '../change-row.ts'
import { realmSettingRow } from './realm-setting.ts'

const { addEmailDomain, removeEmailDomain, updateEmailDomain, updateRealm } = endpoints.realm
const { createBot, createInviteLink, createUser, createUserGroup, deactivateBot } = endpoints.users
const { inviteByEmail, updateSettings, updateUser, uploadOwnAvatar } = endpoints.users

/** Organization policies on accounts. */
export const accountPolicies: RowGroup = {
  subject: 'policies for accounts',
  rows: [
    realmSettingRow({
      name: 'names may not be changed, then a member changes theirs',
      on: { name_changes_disabled: true },
      off: { name_changes_disabled: false },
      prepare: async ({ createUser: newUser, newName }) => {
        const member = await newUser()
        return {
          use: async (at) => {
            const full_name = newName('Renamed')
            await at(member).call(updateSettings, { full_name })
            // A change without permission is ignored silently.
            const own = await member.call(endpoints.users.getOwnUser, {})
            return own.full_name === full_name ? 'allowed' : 'refused'
          },
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'pictures may not be changed, then a member changes theirs',
      on: { avatar_changes_disabled: true },
      off: { avatar_changes_disabled: false },
      prepare: async ({ createUser: newUser }) => {
        const member = await newUser()
        const path = uploadOwnAvatar.prefix + uploadOwnAvatar.path
        return {
          use: async (at) =>
            outcomeOf(await at(member).uploadTo(path, { name: 'me.png', content: onePixel })),
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'addresses may not be changed, then a member changes theirs',
      on: { email_changes_disabled: true },
      off: { email_changes_disabled: false },
      prepare: async ({ createUser: newUser }) => {
        const member = await newUser()
        return {
          // An invalid address: it is rejected in either case, with different messages.
          use: async (at) =>
            String((await at(member).send(updateSettings, { email: 'no address' })).body['msg']).startsWith(
              'Only administrators',
            )
              ? 'refused'
              : 'allowed',
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'names must be unique, then somebody gets one that is taken',
      on: { require_unique_names: true },
      off: { require_unique_names: false },
      prepare: async ({ createUser: newUser, owner, newName }) => {
        const full_name = newName('Taken')
        await newUser({ name: full_name })
        const { userId: user_id } = await newUser()
        return {
          use: async (at) => {
            const outcome = outcomeOf(await at(owner).send(updateUser, { user_id, full_name }))
            // Existing users of a name may keep it.
            await owner.call(updateUser, { user_id, full_name: newName('Other') })
            return outcome
          },
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'bots are for administrators to create, then a member creates one',
      on: { bot_creation_policy: 3 },
      off: { bot_creation_policy: 1 },
      prepare: async ({ createUser: newUser, newName, owner }) => {
        const member = await newUser()
        return {
          use: async (at) => {
            const full_name = newName('bot')
            const names = { full_name, short_name: full_name.replace(' ', '-') }
            const answer = await at(member).send(createBot, names)
            const id = answer.body['user_id']
            // Members may own a limited number.
            if (typeof id === 'number') await owner.call(deactivateBot, { bot_user_id: id })
            return outcomeOf(answer)
          },
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'groups are for moderators to create, then a member creates one',
      on: { user_group_edit_policy: 4 },
      off: { user_group_edit_policy: 1 },
      prepare: async ({ createUser: newUser, newName }) => {
        const member = await newUser()
        return {
          use: async (at) =>
            outcomeOf(
              await at(member).send(createUserGroup, {
                name: newName('group'),
                description: '',
                members: [],
              }),
            ),
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'invitation links are for members to create, then one does',
      on: { create_multiuse_invite_group: systemGroupIds['role:members'] },
      off: { create_multiuse_invite_group: systemGroupIds['role:administrators'] },
      prepare: async ({ createUser: newUser }) => {
        const member = await newUser()
        return {
          use: async (at) => outcomeOf(await at(member).send(createInviteLink, {})),
          expected: allowedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'inviting is for administrators, then a member invites',
      on: { invite_to_realm_policy: 2 },
      off: { invite_to_realm_policy: 1 },
      prepare: async ({ createUser: newUser, owner }) => {
        const member = await newUser()
        const input = { invitee_emails: owner.email, stream_ids: [] }
        return {
          // Existing accounts are skipped, after the permission was checked.
          use: async (at) =>
            (await at(member).send(inviteByEmail, input)).body['code'] === 'INVITATION_FAILED'
              ? 'allowed'
              : 'refused',
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'only addresses of some domains may join, then an account with another is created',
      on: { emails_restricted_to_domains: true },
      off: { emails_restricted_to_domains: false },
      prepare: async ({ owner, newName }) => ({
        use: async (at) => outcomeOf(await at(owner).send(createUser, newAccount(newName, 'else.example'))),
        expected: refusedWhenOn,
      }),
    }),
    {
      name: 'a domain is added or removed, then an account with an address of it is created',
      covers: [addEmailDomain, removeEmailDomain],
      prepare: async ({ owner, newName }) => {
        const domain = 'in.example'
        await owner.call(updateRealm, { emails_restricted_to_domains: true })
        return {
          change: (at, { isOn }) =>
            isOn
              ? at(owner).call(addEmailDomain, { domain, allow_subdomains: false })
              : at(owner).call(removeEmailDomain, { domain }),
          use: async (at) => outcomeOf(await at(owner).send(createUser, newAccount(newName, domain))),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'a domain is opened to its subdomains, then an account with an address of one is created',
      covers: [updateEmailDomain],
      prepare: async ({ owner, newName }) => {
        const domain = 'below.example'
        await owner.call(updateRealm, { emails_restricted_to_domains: true })
        await owner.call(addEmailDomain, { domain, allow_subdomains: false })
        return {
          change: (at, { isOn }) => at(owner).call(updateEmailDomain, { domain, allow_subdomains: isOn }),
          use: async (at) => outcomeOf(await at(owner).send(createUser, newAccount(newName, `x.${domain}`))),
          expected: allowedWhenOn,
        }
      },
    },
  ],
}

const newAccount = (newName: (prefix: string) => string, domain: string) => {
  const full_name = newName('Joined')
  return {
    email: `${full_name.toLowerCase().replace(' ', '-')}@${domain}`,
    full_name,
    password: `a long password of ${full_name}`,
  }
}
