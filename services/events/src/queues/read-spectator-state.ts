import { AppError, badRequest, internal, nothingForSpectators, Role, wants } from '@tms/contracts'
import type { Spectator } from '@tms/service-kit'
import type { Context } from './context.ts'
import { queueOptionsOf, type RegisterInput } from './queue-options.ts'

/**
 * Reads the state that spectators may see. Throws BAD_REQUEST for parameters that only users may send, and UNAUTHORIZED if there
 * is no web-public channel.
 */
export async function readSpectatorState(
  input: RegisterInput,
  { spectator, context, requestId }: { spectator: Spectator; context: Context; requestId: string },
): Promise<Record<string, unknown>> {
  if (input.client_gravatar) throw badRequest('client_gravatar needs an account')
  if (input.include_subscribers) throw badRequest('include_subscribers needs an account')
  const { fetchEventTypes } = queueOptionsOf({ ...input, client_gravatar: false }, Role.guest)
  const body = { realm_id: spectator.realmId, fetch_event_types: fetchEventTypes }
  const [realm, messaging] = await Promise.all([
    context.peers(internal.realm.realmSpectatorState, body, { requestId }),
    context.peers(internal.messaging.messagingSpectatorState, body, { requestId }),
  ])
  if (!messaging.has_channels) throw new AppError('UNAUTHORIZED')
  const emptyState = Object.entries(nothingForSpectators).flatMap(([fetchType, keys]) =>
    wants(body, fetchType) ? [keys] : [],
  )
  return Object.assign({}, ...emptyState, realm.state, messaging.state) as Record<string, unknown>
}
