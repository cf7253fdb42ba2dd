import { randomBytes } from 'node:crypto'
import { badRequest, endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { CallContext } from './call-context.ts'

/** Limits of a meeting's name in BigBlueButton. */
const MIN_NAME_LENGTH = 2
const MAX_NAME_LENGTH = 256

/** Throws BAD_REQUEST: Zoom is not set up in any installation. */
export const handleCreateZoomCall: Handler<typeof endpoints.realm.createZoomCall, CallContext> = () => {
  throw badRequest('Zoom credentials have not been configured')
}

/**
 * Creates a link to a call, which begins when the first user opens it. Throws BAD_REQUEST without BigBlueButton, and
 * for a name that is too short.
 */
export const handleCreateBigBlueButtonCall: Handler<
  typeof endpoints.realm.createBigBlueButtonCall,
  CallContext
> = async ({ input, caller, context: { calls } }) => {
  if (!calls) throw badRequest('BigBlueButton is not configured.')
  const name = [...input.meeting_name.trim()]
  if (name.length < MIN_NAME_LENGTH)
    throw badRequest(`meeting_name must have at least ${MIN_NAME_LENGTH} characters`)
  const text = calls.links.sign({
    realmId: caller.realmId,
    meetingId: `tms-${randomBytes(16).toString('hex')}`,
    name: name.slice(0, MAX_NAME_LENGTH).join(''),
    isVoiceOnly: input.voice_only ?? false,
  })
  return { url: `${endpoints.realm.showCallPage.path}?bigbluebutton=${text}` }
}
