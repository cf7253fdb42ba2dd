import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listNames } from './channel-names.queries.ts'

/** Returns the current names of channels for users who may see them. */
export const handleListChannelNames: InternalHandler<
  typeof internal.messaging.listChannelNames,
  Context
> = async ({ requests }, { db }) => ({
  names: await listNames(
    db,
    requests.map(({ realm_id, user_id, role, stream_id }) => ({
      realmId: realm_id,
      userId: user_id,
      channelId: stream_id,
      role,
    })),
  ),
})
