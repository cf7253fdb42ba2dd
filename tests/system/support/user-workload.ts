import { endpoints, Role } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { until } from './until.ts'
import { newUsers } from './users-and-channels.ts'

const { createUserGroup, deactivateUser, reactivateUser, updateUser } = endpoints.users
const { getChannelId, listSubscribers, subscribe, unsubscribe } = endpoints.messaging

/** Each may follow the previous one. */
const ROLES = [Role.guest, Role.moderator, Role.administrator, Role.member] as const

/** Changes to repeat, and a wait for their effects. */
interface UserWorkload {
  readonly changes: readonly ((turn: number) => Promise<unknown>)[]
  /**
   * Resolves when messaging has published all effects. Responses wait for that, but only up to a limit, which many changes on a
   * busy machine exceed.
   */
  waitUntilSettled(): Promise<void>
}

/**
 * Changes of users, for `startWorkload`: names, deactivation and reactivation of a subscriber, and roles of `changingUser`, who
 * registers queues meanwhile.
 */
export async function userWorkload(
  product: TestSystem,
  changingUser: ApiClient,
  channels: { readonly open: string; readonly secret: string },
): Promise<UserWorkload> {
  const { owner } = product
  const [renamed, reactivated] = await newUsers(product, 2)
  const names = [channels.open, channels.secret]
  await owner.call(subscribe, {
    subscriptions: names.map((name) => ({ name })),
    principals: [renamed.userId, reactivated.userId],
  })
  const named = { direct_members: [owner.userId, reactivated.userId], direct_subgroups: [] }
  await owner.call(createUserGroup, {
    ...{ name: 'of the reactivated user', description: '', members: [reactivated.userId] },
    can_join_group: named,
  })
  await owner.call(subscribe, {
    ...{ subscriptions: [{ name: 'of the reactivated user' }], can_remove_subscribers_group: named },
  })
  await owner.call(endpoints.realm.updateRealm, { can_add_custom_emoji_group: named })

  const changes = [
    (turn: number) => owner.call(updateUser, { user_id: renamed.userId, full_name: `Renamed ${turn}` }),
    // It is in a group, and named by permissions.
    async () => {
      await owner.call(deactivateUser, { user_id: reactivated.userId })
      await owner.call(reactivateUser, { user_id: reactivated.userId })
    },
    (turn: number) =>
      owner.call(updateUser, {
        user_id: changingUser.userId,
        role: ROLES[turn % ROLES.length] as Role,
        full_name: `Wanderer ${turn}`,
      }),
    async () => {
      const principals = [changingUser.userId]
      await owner.call(subscribe, { subscriptions: names.map((name) => ({ name })), principals })
      await owner.call(unsubscribe, { subscriptions: names, principals })
    },
  ]
  const waitUntilSettled = async () => {
    // Messaging consumes users in order: with this one it has all earlier ones.
    await owner.call(deactivateUser, { user_id: renamed.userId })
    const { stream_id } = await owner.call(getChannelId, { stream: channels.open })
    await until(async () => {
      const { subscribers } = await owner.call(listSubscribers, { stream_id })
      return !subscribers.includes(renamed.userId)
    })
  }
  return { changes, waitUntilSettled }
}
