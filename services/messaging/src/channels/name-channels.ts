import { canSeeUnsubscribed, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { listNames } from './channel-names.queries.ts'

const OPEN = { invite_only: false, is_web_public: false }
const PRIVATE = { invite_only: true, is_web_public: false }

/** What channels are called now, for who may know of them. */
export const handleNameChannels: InternalHandler<typeof internal.messaging.nameChannels, Context> = async (
  { asked },
  { db },
) => ({
  names: await listNames(
    db,
    asked.map(({ realm_id, user_id, role, stream_id }) => ({
      realmId: realm_id,
      userId: user_id,
      channelId: stream_id,
      seesOpen: canSeeUnsubscribed(role, OPEN),
      seesPrivate: canSeeUnsubscribed(role, PRIVATE),
    })),
  ),
})
