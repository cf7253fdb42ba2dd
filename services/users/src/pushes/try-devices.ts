import type { internal, RealmProjection } from '@tms/contracts'
import type { z } from 'zod'
import type { Account } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { PushService, SentTo } from '../kernel/pushes/push.ts'
import { settingsOf } from '../kernel/settings/user-settings.ts'
import { findPushObstacle } from './push-notices.ts'
import { pushRealmOf } from './push-realm.rules.ts'
import { listDevicesToTry, listUnreachableServices } from './reachable-device.queries.ts'
import { targetOf } from './target.rules.ts'

/** Characters of a token, by which an operator tells devices apart. */
const SHOWN_OF_TOKEN = 6
const TTL_SECONDS = 600

type Tried = Pick<z.output<typeof internal.users.mailTestNotification.response>, 'pushes' | 'push_obstacles'>

/** Sends a test to each device of an account that can be reached, at once, and says what became of it. */
export async function tryDevices(
  { db, pushes, now }: Context,
  account: Account,
  realm: RealmProjection,
): Promise<Tried> {
  const devices = await listDevicesToTry(db, account.id, Object.keys(pushes.senders))
  const notice = { kind: 'test', time: Math.floor(now().getTime() / 1_000) } as const
  const push = {
    ...{ id: `test-${account.id}`, notice, realm: pushRealmOf(realm) },
    ...{ realmId: account.realmId, userId: account.id },
    ...{ language: String(settingsOf(account)['default_language']), ttlSeconds: TTL_SECONDS },
  }
  const results = await Promise.all(
    devices.map(async (device) => {
      const result = await pushes.senders[device.service]?.send(device, push)
      return {
        ...{ service: device.service, device: nameOf(device), result: result?.kind ?? ('refused' as const) },
        reason: result !== undefined && result.kind !== 'sent' ? result.reason : null,
      }
    }),
  )
  const obstacle = findPushObstacle(account, realm)
  const unreachable = await listUnreachableServices(db, account.id, Object.keys(pushes.senders))
  return {
    pushes: results,
    push_obstacles: [
      ...unreachable.map(
        ({ service, count }) =>
          `The installation has no credentials for ${service}, by which ${count} of the user's devices are reached.`,
      ),
      ...(devices.length === 0 ? ['The user has no device that this installation can reach.'] : []),
      ...(obstacle === null ? [] : [obstacle]),
    ],
  }
}

function nameOf(device: SentTo & { readonly service: PushService }): string {
  if (device.service === 'relay') return 'all apps of the user'
  return device.service === 'web_push' ? targetOf(device) : `…${device.token.slice(-SHOWN_OF_TOKEN)}`
}
