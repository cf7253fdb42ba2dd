import { systemGroupIds } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { realmKeys } from './realm-keys.ts'
import { serverKeys } from './server-keys.ts'

const realm = {
  id: 1,
  stringId: '',
  name: 'Acme',
  description: '',
  url: 'http://localhost:9991',
  isActive: true,
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
  mandatoryTopics: false,
  waitingPeriodThreshold: 0,
  hiddenMemberIds: [],
  isPushRefused: false,
  pushEnd: null,
  settings: { org_type: 20 },
  permissions: { can_create_private_channel_group: 3, direct_message_permission_group: 8 },
  iconFile: null,
  logoFile: 'a.png',
  nightLogoFile: null,
  version: 1,
  importBegunAt: null,
}

describe('realmKeys', () => {
  test('returns stored values, and defaults for the others', () => {
    expect(realmKeys(realm, ['Email', 'LDAP'])).toMatchObject({
      realm_name: 'Acme',
      realm_uri: 'http://localhost:9991',
      realm_date_created: 1_767_323_045,
      realm_bot_domain: 'localhost',
      realm_org_type: 20,
      realm_giphy_rating: 2,
    })
  })

  test('returns the URLs and sources of pictures', () => {
    expect(realmKeys(realm, ['Email', 'LDAP'])).toMatchObject({
      realm_icon_url: expect.stringMatching(/^https:.*identicon/),
      realm_icon_source: 'G',
      realm_logo_url: '/user_avatars/1/realm/a.png',
      realm_logo_source: 'U',
      realm_night_logo_url: '',
      realm_night_logo_source: 'D',
    })
  })

  test('returns permissions, and the policies that correspond to them', () => {
    expect(realmKeys(realm, ['Email', 'LDAP'])).toMatchObject({
      realm_can_create_public_channel_group: systemGroupIds['role:members'],
      realm_can_create_private_channel_group: systemGroupIds['role:moderators'],
      realm_direct_message_permission_group: systemGroupIds['role:nobody'],
      realm_create_multiuse_invite_group: systemGroupIds['role:administrators'],
      realm_create_private_stream_policy: 4,
      realm_private_message_policy: 2,
      realm_delete_own_message_policy: 5,
    })
  })

  test('returns the authentication methods that the installation offers, on unless the organization says otherwise', () => {
    const own = { ...realm, settings: { disabled_authentication_methods: ['Email', 'SAML'] } }

    expect(realmKeys(own, ['Email', 'LDAP'])).toMatchObject({
      realm_authentication_methods: {
        Email: { enabled: false, available: true },
        LDAP: { enabled: true, available: true },
      },
      realm_email_auth_enabled: false,
      realm_password_auth_enabled: true,
    })
  })

  test('shares no key with the server-wide keys, so neither hides the other', () => {
    const shared = Object.keys(realmKeys(realm, ['Email', 'LDAP'])).filter((key) => key in serverKeys)

    expect(shared).toEqual([])
  })
})
