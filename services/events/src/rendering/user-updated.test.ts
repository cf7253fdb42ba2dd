import { domainEvents, EmailVisibility, type PayloadOf, Role, type UserChange } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import type { QueueState } from '../kernel/queue-state.ts'
import { toRenderedQueue } from './presentation.ts'
import { presentUserUpdated } from './user-updated.ts'

type Payload = PayloadOf<typeof domainEvents.users.userUpdated>

const CHANGED = 7
const VIEWER = 8

/** The `person` objects of the events that a viewer gets. */
const personsFor = (changes: UserChange[], { userId = VIEWER, role = Role.member as number } = {}) => {
  const payload = { user_id: CHANGED, changes } as Payload
  const record = { user_id: userId, role, client_capabilities: {} } as QueueState['record']
  const { list, write } = presentUserUpdated.presentation
  return list(payload, { record } as QueueState, new Map()).map(({ index, type }) => {
    // The role may be another one at the time of rendering.
    const later = { ...record, role: Role.guest }
    const event = JSON.parse(`{${write(payload, index, toRenderedQueue(later), new Map())}}`)
    expect(event).toMatchObject({ type, op: 'update', person: { user_id: CHANGED } })
    const { user_id: _, ...person } = event.person
    return person
  })
}

describe('a change of a user', () => {
  test('is one event per change, in the same order', () => {
    const changes: UserChange[] = [
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
  const change = (before: [string, number], after: [string, number]): UserChange => ({
    kind: 'delivery_email',
    before: { delivery_email: before[0], visibility: before[1] },
    after: { delivery_email: after[0], visibility: after[1] },
  })

  test.each([
    // viewer, before, after, role, expected e-mails
    [
      'is delivered to a user who becomes able to see it',
      [OLD, administrators],
      [OLD, members],
      Role.member,
      [OLD],
    ],
    [
      'is delivered as null to a user who becomes unable to see it',
      [OLD, members],
      [OLD, administrators],
      Role.member,
      [null],
    ],
    [
      'is not delivered to a user who can see the same address before and after',
      [OLD, members],
      [OLD, everyone],
      Role.member,
      [],
    ],
    ['is not delivered to a user who can never see it', [OLD, nobody], [NEW, nobody], Role.owner, []],
    [
      'is delivered to a user who can see both addresses',
      [OLD, administrators],
      [NEW, administrators],
      Role.administrator,
      [NEW],
    ],
    [
      'is delivered as null to a guest if it becomes visible to members only',
      [OLD, everyone],
      [NEW, members],
      Role.guest,
      [null],
    ],
  ] as const)('%s', (_, before, after, role, expected) => {
    const persons = personsFor([change([...before], [...after])], { role })

    expect(persons).toEqual(expected.map((delivery_email) => ({ delivery_email })))
  })

  test('is always delivered to its owner', () => {
    const persons = personsFor([change([OLD, nobody], [NEW, nobody])], { userId: CHANGED, role: Role.guest })

    expect(persons).toEqual([{ delivery_email: NEW }])
  })
})
