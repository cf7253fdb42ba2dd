import { AppError, badRequest, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { type PushRelay, PushRelayError } from '../kernel/pushes/push-relay.ts'
import { toAppError } from './relay-errors.ts'
import { recordThatNothingIsSent, report } from './report.ts'

type Internal = typeof internal.users

/** Registers the installation at the push relay service for an operator, and reports its organizations. */
export const handleRegisterAtPushRelay: InternalHandler<Internal['registerAtPushRelay'], Context> = (
  { contact_email: contactEmail, new_key: newKey },
  context,
) =>
  withRelay(context, async (relay) => {
    await relay.registerServer({ contactEmail, newKey })
    // With a new key the calls of this process are refused until it is configured.
    if (newKey === null) await report(context, relay)
    return { hostname: relay.hostname }
  })

/** Ends the registration at the push relay service for an operator. */
export const handleDeactivateAtPushRelay: InternalHandler<Internal['deactivateAtPushRelay'], Context> = (
  _,
  context,
) =>
  withRelay(context, async (relay) => {
    await relay.deactivateServer()
    await recordThatNothingIsSent(context)
    return {}
  })

/** Reports to the push relay service for an operator. */
export const handleReportToPushRelay: InternalHandler<Internal['reportToPushRelay'], Context> = (
  _,
  context,
) => withRelay(context, async (relay) => ({ states: await report(context, relay) }))

async function withRelay<Result extends object>(
  { pushes: { relay } }: Context,
  act: (relay: PushRelay) => Promise<Result>,
): Promise<Result & { url: string; organization: string }> {
  if (relay === null)
    throw new AppError('PUSH_SERVICE_NOT_CONFIGURED', {
      message: 'The users service has no push relay service: MOBILE_PUSH is not relay',
    })
  try {
    return { url: relay.url, organization: relay.organization, ...(await act(relay)) }
  } catch (err) {
    // An operator has to know what it said.
    if (err instanceof PushRelayError && err.fault === 'unregistered') throw badRequest(err.message)
    throw toAppError(err)
  }
}
