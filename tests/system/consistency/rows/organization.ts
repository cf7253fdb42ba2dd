import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { invitationTo, newLink } from '../../support/invitations.ts'
import { onePixel } from '../../support/pictures.ts'
import {
  allowedWhenOn,
  type ChangeRow,
  outcomeOf,
  type RowGroup,
  refusedWhenOn,
  whenOn,
} from '../change-row.ts'
import { isAuthenticated, stateOf } from '../observations.ts'
import { realmSettingRow } from './realm-setting.ts'

const { addPlayground, createProfileField, deactivateRealm, deleteIcon, deleteLogo } = endpoints.realm
const { removePlayground, removeProfileField, reorderProfileFields, updateProfileField } = endpoints.realm
const { uploadIcon, uploadLogo } = endpoints.realm
const { createInviteLink, getUser, inviteByEmail, removeProfileData, resendInvitation } = endpoints.users
const { revokeInvitation, revokeInvitationLink, updateProfileData } = endpoints.users
const FIELDS = 'custom_profile_fields'

const pictureRow = (
  name: string,
  upload: typeof uploadIcon | typeof uploadLogo,
  remove: typeof deleteIcon | typeof deleteLogo,
  source: string,
): ChangeRow => ({
  name,
  covers: [upload, remove],
  prepare: async ({ owner }) => {
    const path = `${upload.prefix}${upload.path}${upload === uploadLogo ? '?night=false' : ''}`
    return {
      change: async (at, { isOn }) => {
        if (!isOn) return at(owner).request('DELETE', remove.path, [['night', 'false']])
        const answer = await at(owner).uploadTo(path, { name: 'x.png', content: onePixel })
        if (answer.status !== 200) throw new Error(`the picture was refused: ${answer.text}`)
      },
      use: async (at) => (await stateOf(at(owner), 'realm'))[source] === 'U',
      expected: whenOn,
    }
  },
})

/** The values of a profile field in the user's record and in a register state. */
const profileDataOf = async (reader: ApiClient, { userId: user_id }: ApiClient, fieldId: number) => {
  const { user } = await reader.call(getUser, { user_id, include_custom_profile_fields: true })
  const { realm_users } = (await stateOf(reader, 'realm_user')) as { realm_users: (typeof user)[] }
  const registered = realm_users.find((one) => one.user_id === user_id)
  const valueIn = (record: typeof user | undefined) => record?.profile_data?.[String(fieldId)]?.value ?? null
  return [valueIn(user), valueIn(registered)]
}

/** Settings and content of an organization. */
export const organizationRows: RowGroup = {
  subject: 'the organization, its profile fields and invitations',
  rows: [
    realmSettingRow({
      name: 'the organization is renamed, then the server settings are read',
      on: { name: 'Renamed' },
      off: { name: 'Lane' },
      prepare: async ({ anonymous }) => ({
        use: async (at) => (await at(anonymous).call(endpoints.realm.getServerSettings, {})).realm_name,
        expected: ({ isOn }) => (isOn ? 'Renamed' : 'Lane'),
      }),
    }),
    pictureRow(
      'an icon is uploaded or deleted, then a client registers',
      uploadIcon,
      deleteIcon,
      'realm_icon_source',
    ),
    pictureRow(
      'a logo is uploaded or deleted, then a client registers',
      uploadLogo,
      deleteLogo,
      'realm_logo_source',
    ),
    {
      name: 'a playground is added or removed, then a client registers',
      covers: [addPlayground, removePlayground],
      prepare: async ({ owner, createUser }) => {
        const member = await createUser()
        const playground = {
          name: 'Try it',
          highlighter_language: 'Python',
          url_template: 'https://play.example/?code={code}',
        }
        let playground_id = 0
        return {
          change: async (at, { isOn }) => {
            if (isOn) playground_id = (await at(owner).call(addPlayground, playground)).id
            else await at(owner).call(removePlayground, { playground_id })
          },
          use: async (at) => {
            const { realm_playgrounds } = await stateOf(at(member), 'realm_playgrounds')
            return (realm_playgrounds as unknown[]).length
          },
          expected: ({ isOn }) => (isOn ? 1 : 0),
        }
      },
    },
    {
      name: 'a profile field is created, then filled in',
      covers: [createProfileField],
      prepare: async ({ owner, createUser, newName }) => {
        const member = await createUser()
        let id = 0
        return {
          prepareTurn: async () => {
            // Their number is limited.
            if (id !== 0) await owner.call(removeProfileField, { field_id: id })
          },
          change: async (at) => {
            id = (await at(owner).call(createProfileField, { name: newName('field'), field_type: 1 })).id
          },
          use: async (at) =>
            outcomeOf(await at(member).send(updateProfileData, { data: [{ id, value: 'x' }] })),
          expected: () => 'allowed',
        }
      },
    },
    {
      name: 'a profile field is left to administrators, then filled in by somebody else',
      covers: [updateProfileField],
      prepare: async ({ owner, createUser, newName }) => {
        const member = await createUser()
        const { id } = await owner.call(createProfileField, { name: newName('field'), field_type: 1 })
        return {
          change: (at, { isOn }) =>
            at(owner).call(updateProfileField, { field_id: id, editable_by_user: !isOn }),
          use: async (at) =>
            outcomeOf(await at(member).send(updateProfileData, { data: [{ id, value: newName('value') }] })),
          expected: refusedWhenOn,
        }
      },
    },
    {
      name: 'a profile field is removed, then filled in',
      covers: [removeProfileField],
      prepare: async ({ owner, createUser, newName }) => {
        const member = await createUser()
        let id = 0
        return {
          prepareTurn: async () => {
            id = (await owner.call(createProfileField, { name: newName('field'), field_type: 1 })).id
          },
          change: (at) => at(owner).call(removeProfileField, { field_id: id }),
          use: async (at) =>
            outcomeOf(await at(member).send(updateProfileData, { data: [{ id, value: 'x' }] })),
          expected: () => 'refused',
        }
      },
    },
    {
      name: 'a profile field gets other options, then is filled in with one of them',
      covers: [updateProfileField],
      prepare: async ({ owner, createUser, newName }) => {
        const member = await createUser()
        const options = (name: string) => ({ [name]: { text: `Option ${name}`, order: '1' } })
        const name = newName('options')
        const { id } = await owner.call(createProfileField, { name, field_type: 3, field_data: options('a') })
        return {
          change: (at, { isOn }) =>
            at(owner).call(updateProfileField, { field_id: id, field_data: options(isOn ? 'b' : 'a') }),
          use: async (at) =>
            outcomeOf(await at(member).send(updateProfileData, { data: [{ id, value: 'b' }] })),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'a profile field is removed, then a user with a value for it is read',
      covers: [removeProfileField],
      prepare: async ({ owner, createUser, newName }) => {
        const [member, other] = [await createUser(), await createUser()]
        let id = 0
        return {
          prepareTurn: async () => {
            id = (await owner.call(createProfileField, { name: newName('field'), field_type: 1 })).id
            await member.call(updateProfileData, { data: [{ id, value: 'of mine' }] })
          },
          change: (at) => at(owner).call(removeProfileField, { field_id: id }),
          use: (at) => profileDataOf(at(other), member, id),
          expected: () => [null, null],
        }
      },
    },
    {
      name: 'a profile field loses an option, then a user with that option is read',
      covers: [updateProfileField],
      prepare: async ({ owner, createUser, newName }) => {
        const [member, other] = [await createUser(), await createUser()]
        const options = (...names: string[]) =>
          Object.fromEntries(names.map((name, index) => [name, { text: name, order: String(index + 1) }]))
        const name = newName('choices')
        const { id } = await owner.call(createProfileField, {
          name,
          field_type: 3,
          field_data: options('a', 'b'),
        })
        const offer = (client: ApiClient, ...names: string[]) =>
          client.call(updateProfileField, { field_id: id, field_data: options(...names) })
        return {
          prepareTurn: async () => {
            await offer(owner, 'a', 'b')
            await member.call(updateProfileData, { data: [{ id, value: 'b' }] })
          },
          change: (at) => offer(at(owner), 'a'),
          use: (at) => profileDataOf(at(other), member, id),
          expected: () => [null, null],
        }
      },
    },
    {
      name: 'profile fields get another order, then a client registers',
      covers: [reorderProfileFields],
      prepare: async ({ owner, createUser, newName }) => {
        const member = await createUser()
        for (let i = 0; i < 2; i++) {
          await owner.call(createProfileField, { name: newName('ordered'), field_type: 1 })
        }
        const idsOf = async (client: ApiClient) =>
          ((await stateOf(client, FIELDS))[FIELDS] as { id: number; order: number }[])
            .toSorted((a, b) => a.order - b.order)
            .map(({ id }) => id)
        const ids = await idsOf(owner)
        const orderIn = (isOn: boolean) => (isOn ? ids.toReversed() : ids)
        return {
          change: (at, { isOn }) => at(owner).call(reorderProfileFields, { order: orderIn(isOn) }),
          use: (at) => idsOf(at(member)),
          expected: ({ isOn }) => orderIn(isOn),
        }
      },
    },
    {
      name: 'a user fills in a profile field or clears it, then another user reads it',
      covers: [updateProfileData, removeProfileData],
      prepare: async ({ owner, createUser, newName }) => {
        const [member, other] = [await createUser(), await createUser()]
        const { id } = await owner.call(createProfileField, { name: newName('about'), field_type: 1 })
        const value = 'of mine'
        return {
          prepareTurn: async (_, { index }) => {
            // Another row covers whether values may be set.
            if (index === 0) await other.send(updateProfileData, { data: [{ id, value }] })
          },
          change: async (at, { isOn }) => {
            if (isOn) await at(member).call(updateProfileData, { data: [{ id, value }] })
            else await at(member).call(removeProfileData, { data: [id] })
          },
          use: (at) => profileDataOf(at(other), member, id),
          expected: ({ isOn }) => (isOn ? [value, value] : [null, null]),
        }
      },
    },
    {
      name: 'an invitation link is created or revoked, then opened',
      covers: [createInviteLink, revokeInvitationLink],
      prepare: async ({ owner, anonymous }) => {
        let link = { id: 0, url: '' }
        return {
          change: async (at, { isOn }) => {
            if (isOn) link = await newLink(at(owner))
            else await at(owner).call(revokeInvitationLink, { invite_id: link.id })
          },
          use: async (at) => {
            const { status } = await at(anonymous).fetch(new URL(link.url).pathname)
            return status === 200
          },
          expected: whenOn,
        }
      },
    },
    {
      name: 'somebody is invited or no longer, then the invitations are listed',
      covers: [inviteByEmail, revokeInvitation, resendInvitation],
      prepare: async ({ owner, newName }) => {
        let email = ''
        return {
          change: async (at, { isOn }) => {
            if (isOn) {
              email = `${newName('invited').replace(' ', '-')}@example.com`
              await at(owner).call(inviteByEmail, { invitee_emails: email, stream_ids: [] })
              const invite_id = (await invitationTo(owner, email))?.id ?? 0
              return at(owner).call(resendInvitation, { invite_id })
            }
            return at(owner).call(revokeInvitation, {
              invite_id: (await invitationTo(owner, email))?.id ?? 0,
            })
          },
          use: async (at) => (await invitationTo(at(owner), email)) !== undefined,
          expected: whenOn,
        }
      },
    },
  ],
}

/** Deactivation of an organization, which nothing else may use meanwhile. */
export const activity: RowGroup = {
  subject: 'an organization that is deactivated',
  rows: [
    {
      name: 'an organization is deactivated or reactivated, then a member calls',
      covers: [deactivateRealm],
      prepare: async ({ owner, createUser, setActivity }) => {
        const member = await createUser()
        return {
          change: (at, { isOn }) => (isOn ? at(owner).call(deactivateRealm, {}) : setActivity(true)),
          use: async (at) => ((await isAuthenticated(at(member))) ? 'allowed' : 'refused'),
          expected: refusedWhenOn,
        }
      },
    },
    {
      name: 'an organization is deactivated or reactivated, then its people sign in',
      covers: [deactivateRealm],
      prepare: async ({ owner, anonymous, createUser, setActivity }) => {
        const member = await createUser()
        return {
          change: (at, { isOn }) => (isOn ? at(owner).call(deactivateRealm, {}) : setActivity(true)),
          use: async (at) =>
            outcomeOf(await at(anonymous).send(endpoints.users.devFetchApiKey, { username: member.email })),
          expected: refusedWhenOn,
        }
      },
    },
  ],
}
