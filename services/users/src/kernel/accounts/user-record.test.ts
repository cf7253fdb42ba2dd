import { userWithActivity } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { currentFieldsOf } from '../profiles/current-fields.ts'
import type { Account } from './account.queries.ts'
import { toIsoDate, toUserRecord, toUserWithActivity } from './user-record.ts'

const aUser = (over: Partial<Account> = {}): Account => ({
  id: 7,
  realmId: 1,
  email: 'Ilse@Example.com',
  deliveryEmail: 'Ilse@Example.com',
  fullName: 'Ilse',
  role: 400,
  isActive: true,
  isBot: false,
  botType: null,
  botOwnerId: null,
  isSystemBot: false,
  timezone: '',
  dateJoined: new Date('2026-01-02T03:04:05.678Z'),
  avatarSource: 'G',
  avatarVersion: 1,
  avatarFile: null,
  emailAddressVisibility: 1,
  settings: {},
  alertWords: [],
  mutedUsers: [],
  profileData: {},
  hasPushDevices: false,
  version: 1,
  ...over,
})
const view = { viewer: { userId: 1, role: 600 }, clientGravatar: true, profileFields: null }

describe('a user record', () => {
  test('has the fields that the contract declares, and no others', () => {
    const record = toUserWithActivity(aUser(), view)

    expect(userWithActivity.strict().parse(record)).toEqual(record)
  })

  test('contains roles as flags too', () => {
    const flags = ({ is_owner, is_admin, is_guest }: ReturnType<typeof toUserRecord>) => [
      is_owner,
      is_admin,
      is_guest,
    ]

    expect(flags(toUserRecord(aUser({ role: 100 }), view))).toEqual([true, true, false])
    expect(flags(toUserRecord(aUser({ role: 200 }), view))).toEqual([false, true, false])
    expect(flags(toUserRecord(aUser({ role: 300 }), view))).toEqual([false, false, false])
    expect(flags(toUserRecord(aUser({ role: 600 }), view))).toEqual([false, false, true])
  })

  test('leaves the avatar to a client that computes it from an address it may see', () => {
    expect(toUserRecord(aUser(), view).avatar_url).toBeNull()
    expect(toUserRecord(aUser({ emailAddressVisibility: 3 }), view).avatar_url).not.toBeNull()
    expect(toUserRecord(aUser({ avatarSource: 'U' }), view).avatar_url).not.toBeNull()
  })

  test('contains the relative URL of an uploaded avatar for every client', () => {
    const account = aUser({ avatarSource: 'U', avatarFile: 'abc', avatarVersion: 3 })

    expect(toUserRecord(account, view).avatar_url).toBe('/user_avatars/1/abc.png?version=3')
  })

  test('contains the gravatar of the lower-case address otherwise', () => {
    const { avatar_url } = toUserRecord(aUser(), { ...view, clientGravatar: false })

    expect(avatar_url).toBe(
      'https://secure.gravatar.com/avatar/db8988051a3fb5b76c2a7d9205f19100?d=identicon&version=1',
    )
  })

  test('hides a delivery e-mail from viewers who may not see it', () => {
    expect(toUserRecord(aUser({ emailAddressVisibility: 3 }), view).delivery_email).toBeNull()
  })

  test('contains profile data on request, never of bots', () => {
    const withFields = { ...view, profileFields: currentFieldsOf([]) }

    expect(toUserRecord(aUser(), withFields).profile_data).toEqual({})
    expect(toUserRecord(aUser(), view)).not.toHaveProperty('profile_data')
    expect(toUserRecord(aUser({ isBot: true, botType: 1 }), withFields)).not.toHaveProperty('profile_data')
  })

  test('contains type and owner of bots; the type of other users is null', () => {
    expect(toUserRecord(aUser({ isBot: true, botType: 1, botOwnerId: 3 }), view)).toMatchObject({
      bot_type: 1,
      bot_owner_id: 3,
    })
    expect(toUserRecord(aUser(), view)).toMatchObject({ bot_type: null })
    expect(toUserRecord(aUser(), view)).not.toHaveProperty('bot_owner_id')
  })
})

describe('toIsoDate', () => {
  test('writes the offset, and microseconds only if there are any', () => {
    expect(toIsoDate(new Date('2026-01-02T03:04:05.678Z'))).toBe('2026-01-02T03:04:05.678000+00:00')
    expect(toIsoDate(new Date('2026-01-02T03:04:05Z'))).toBe('2026-01-02T03:04:05+00:00')
  })
})
