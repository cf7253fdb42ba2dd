import { domainEvents, EmailVisibility, type PayloadOf, type PersonChange, Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import type { QueueState } from '../partitions/queue-state.ts'
import { asRendered } from './presentation.ts'
import { presentUserUpdated } from './user-updated.ts'

type Payload = PayloadOf<typeof domainEvents.users.userUpdated>

const CHANGED = 7
const VIEWER = 8

/** The persons of the events that a viewer gets. */
const personsFor = (changes: PersonChange[], { userId = VIEWER, role = Role.member as number } = {}) => {
  const payload = { user_id: CHANGED, changes } as Payload
  const record = { user_id: userId, role } as QueueState['record']
  const { list, write } = presentUserUpdated.presentation
  return list(payload, { record } as QueueState, new Map()).map(({ index, type }) => {
    // Whoever renders it may know another role by then.
    const later = { ...record, role: Role.guest }
    const event = JSON.parse(`{${write(payload, index, asRendered(later), new Map())}}`)
    expect(event).toMatchObject({ type, op: 'update', person: { user_id: CHANGED } })
    const { user_id: _, ...person } = event.person
    return person
  })
}

describe('a change of a user', () => {
  test('is one event for each form, in the order of the changes', () => {
    const changes: PersonChange[] = [
      { kind: 'full_name', full_name: 'Ann' },
      { kind: 'role', role: 300, previous_role: 400 },
      { kind: 'is_active', is_active: false },
      { kind: 'bot_owner_id', bot_owner_id: null },
      { kind: 'new_email', new_email: 'user7@example.com' },
      { kind: 'avatar', avatar_source: 'G', avatar_url: 'a', avatar_url_medium: 'b', avatar_version: 2 },
      {
        kind: 'custom_profile_field',
        custom_profile_field: { id: 1, value: 'x', rendered_value: '<p>x</p>' },
      },
    ]

    expect(personsFor(changes)).toEqual([
      { full_name: 'Ann' },
      { role: 300 },
      { is_active: false },
      { bot_owner_id: null },
      { new_email: 'user7@example.com' },
      { avatar_source: 'G', avatar_url: 'a', avatar_url_medium: 'b', avatar_version: 2 },
      { custom_profile_field: { id: 1, value: 'x', rendered_value: '<p>x</p>' } },
    ])
  })
})

describe('a change of a delivery e-mail', () => {
  const { everyone, members, administrators, nobody } = EmailVisibility
  const [OLD, NEW] = ['old@example.com', 'new@example.com']
  const change = (before: [string, number], after: [string, number]): PersonChange => ({
    kind: 'delivery_email',
    before: { delivery_email: before[0], visibility: before[1] },
    after: { delivery_email: after[0], visibility: after[1] },
  })

  test.each([
    // before, after, role; told
    ['who begins to see it', [OLD, administrators], [OLD, members], Role.member, [OLD]],
    ['who sees it go', [OLD, members], [OLD, administrators], Role.member, [null]],
    ['who sees it all the time', [OLD, members], [OLD, everyone], Role.member, []],
    ['who never sees it', [OLD, nobody], [NEW, nobody], Role.owner, []],
    ['who sees another', [OLD, administrators], [NEW, administrators], Role.administrator, [NEW]],
    ['a guest, to whom members’ things are closed', [OLD, everyone], [NEW, members], Role.guest, [null]],
  ] as const)('is told to %s', (_, before, after, role, told) => {
    const persons = personsFor([change([...before], [...after])], { role })

    expect(persons).toEqual(told.map((delivery_email) => ({ delivery_email })))
  })

  test('is always told to its owner', () => {
    const persons = personsFor([change([OLD, nobody], [NEW, nobody])], { userId: CHANGED, role: Role.guest })

    expect(persons).toEqual([{ delivery_email: NEW }])
  })
})
