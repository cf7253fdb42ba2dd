import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { visibilityTo } from './guests.ts'
import { createRepeater } from './repeater.ts'
import { createChannel, newUsers, sendDirectly, sendToChannel } from './users-and-channels.ts'

const { archiveChannel, subscribe, unsubscribe } = endpoints.messaging
const { updateUser } = endpoints.users
const MEMBERS = 4
const RENAMED = 'Changing'

interface VisibilityWorkload {
  /** Stops it, and returns the last user who became visible to all guests: no later event is about a visible user. */
  stop(): Promise<ApiClient>
}

/**
 * Changes which users guests see, all at once: members and guests join and leave shared channels, which are archived; names of
 * visible and invisible users change; new users write to guests, or to nobody.
 */
export async function startVisibilityWorkload(
  system: TestSystem,
  guests: readonly ApiClient[],
): Promise<VisibilityWorkload> {
  const { owner } = system
  const members = await newUsers(system, MEMBERS)
  const rooms = [
    await createChannel(owner, { others: guests }),
    await createChannel(owner, { others: members }),
  ]
  const pick = <T>(from: readonly T[], turn: number): T => from[turn % from.length] as T

  const { repeat, stop } = createRepeater()
  const joinAndLeave =
    (users: readonly ApiClient[], room: { name: string } | undefined) => async (turn: number) => {
      const principals = [pick(users, turn), pick(users, turn + 1)].map(({ userId }) => userId)
      const name = room?.name ?? ''
      await owner.call(subscribe, { subscriptions: [{ name }], principals })
      await owner.call(unsubscribe, { subscriptions: [name], principals })
    }
  // In one channel members join and leave, in the other guests.
  repeat(joinAndLeave(members, rooms[0]))
  repeat(joinAndLeave(guests, rooms[1]))
  repeat(async (turn) => {
    const { id } = await createChannel(owner, { others: [pick(members, turn), pick(guests, turn)] })
    await owner.call(archiveChannel, { stream_id: id })
  })
  members.forEach(({ userId: user_id }) =>
    repeat((turn) => owner.call(updateUser, { user_id, full_name: `${RENAMED} ${user_id} ${turn}` })),
  )
  repeat((turn) => sendToChannel(pick(members, turn), rooms[0]?.name ?? ''))
  repeat(async (turn) => {
    const [newUser] = await newUsers(system, 1)
    if (turn % 2 === 0) await sendDirectly(newUser, [pick(guests, turn)])
  })
  return {
    stop: async () => {
      await stop()
      const [last] = await newUsers(system, 1)
      await sendDirectly(last, guests)
      for (const guest of guests) {
        if ((await visibilityTo(guest, last)).has(false))
          throw new Error('a guest does not see the sender of a message')
      }
      return last
    },
  }
}

/** The turn at which a user got this name; null for users who are not renamed. */
export function turnOfName(fullName = ''): number | null {
  return fullName.startsWith(RENAMED) ? Number(fullName.split(' ').at(-1)) : null
}
