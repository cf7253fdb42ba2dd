import { channelRules, messageRules, Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { channelColumns, publishedRoleOf } from './access.queries.ts'
import { allowsSql, refusesSql } from './access-sql.ts'

const columns = {
  ...channelColumns('c'),
  isSubscribed: 's.is_active',
  isViewer: false,
  isReader: false,
  role: 'u.role',
}

describe('allowsSql', () => {
  test('joins the grounds of a rule', () => {
    expect(allowsSql(channelRules.access, columns)).toBe(
      '(not c.is_archived and (c.is_web_public or (not c.invite_only and coalesce(u.role <= 400, false)) or s.is_active))',
    )
  })

  test('requires each of two rules', () => {
    expect(allowsSql(channelRules.see, { ...columns, isSubscribed: false, role: null })).toBe(
      '(not c.is_archived and c.is_web_public)',
    )
  })

  test('has the grounds of permissions, which are for members', () => {
    const closed = { ...columns, isArchived: false, isWebPublic: false, isPrivate: true, isSubscribed: false }
    expect(allowsSql(channelRules.access, { ...closed, isReader: 'g.is_reader' })).toBe(
      '(g.is_reader and coalesce(u.role <= 400, false))',
    )
    expect(allowsSql(channelRules.see, { ...closed, isViewer: 'g.is_viewer', role: Role.guest })).toBe(
      'false',
    )
  })

  test('looks up a role that is not in the row', () => {
    expect(allowsSql(channelRules.seeDefaults, { role: publishedRoleOf('t.user_id') })).toBe(
      'exists (select from known_users where known_users.user_id = t.user_id and known_users.published_role <= 400)',
    )
  })

  test('leaves out what is known beforehand', () => {
    const open = { ...columns, isArchived: false, isPrivate: false }
    expect(allowsSql(channelRules.access, { ...open, role: Role.member })).toBe('true')
    expect(allowsSql(channelRules.access, { ...open, role: Role.guest })).toBe(
      '(c.is_web_public or s.is_active)',
    )
    const direct = { isArchived: false, isDirect: true, isReceived: false, isHistorical: true }
    expect(allowsSql(messageRules.read, { ...columns, ...direct })).toBe('false')
  })
})

test('refusesSql negates each condition by itself, so that an anti-join remains possible', () => {
  const live = { ...columns, isArchived: false }
  expect(refusesSql(channelRules.access, { ...live, isSubscribed: 'exists (select from s)' })).toBe(
    '(not c.is_web_public and not (not c.invite_only and coalesce(u.role <= 400, false)) and not exists (select from s))',
  )
  expect(refusesSql(channelRules.readHistory, { ...live, isSubscribed: true })).toBe(
    'not c.history_public_to_subscribers',
  )
})
