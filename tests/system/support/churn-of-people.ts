import { endpoints, Role } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { newUsers } from './people.ts'
import { until } from './until.ts'

const { deactivateUser, reactivateUser, updateUser } = endpoints.users
const { getChannelId, listSubscribers, subscribe, unsubscribe } = endpoints.messaging

/** Each may follow the one before it. */
const ROLES = [Role.guest, Role.moderator, Role.administrator, Role.member] as const

/** Changes to repeat, and what to do once they are over. */
interface ChurnOfPeople {
  readonly changes: readonly ((turn: number) => Promise<unknown>)[]
  /**
   * Until messaging has told what follows from all of them. That is so by their answers, unless messaging takes longer than users
   * waits for it: amid so many changes on a busy machine it does.
   */
  settled(): Promise<void>
}

/**
 * Changes of people, for `startChurn` to repeat: names, deactivating and reactivating someone who is in channels, and
 * roles of one who registers queues meanwhile, the `wanderer`.
 */
export async function churnOfPeople(
  product: TestSystem,
  wanderer: ApiClient,
  channels: { readonly open: string; readonly secret: string },
): Promise<ChurnOfPeople> {
  const { owner } = product
  const [renamed, passing] = (await newUsers(product, 2)) as [ApiClient, ApiClient]
  const names = [channels.open, channels.secret]
  await owner.call(subscribe, {
    subscriptions: names.map((name) => ({ name })),
    principals: [renamed.userId, passing.userId],
  })

  const changes = [
    (turn: number) => owner.call(updateUser, { user_id: renamed.userId, full_name: `Renamed ${turn}` }),
    async () => {
      await owner.call(deactivateUser, { user_id: passing.userId })
      await owner.call(reactivateUser, { user_id: passing.userId })
    },
    (turn: number) =>
      owner.call(updateUser, {
        user_id: wanderer.userId,
        role: ROLES[turn % ROLES.length] as Role,
        full_name: `Wanderer ${turn}`,
      }),
    async () => {
      const principals = [wanderer.userId]
      await owner.call(subscribe, { subscriptions: names.map((name) => ({ name })), principals })
      await owner.call(unsubscribe, { subscriptions: names, principals })
    },
  ]
  const settled = async () => {
    // Messaging hears of people in order: it knows of all the rest once it knows of this.
    await owner.call(deactivateUser, { user_id: renamed.userId })
    const { stream_id } = await owner.call(getChannelId, { stream: channels.open })
    await until(async () => {
      const { subscribers } = await owner.call(listSubscribers, { stream_id })
      return !subscribers.includes(renamed.userId)
    })
  }
  return { changes, settled }
}
