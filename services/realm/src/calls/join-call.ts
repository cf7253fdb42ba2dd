import { AppError, endpoints } from '@tms/contracts'
import { alertOf, deadLinkPage, type Handler, html, inputOf, type PageAnswer, pageOf } from '@tms/service-kit'
import { findRealmByHost } from '../kernel/realms/find-realm-by-host.ts'
import type { Realm } from '../kernel/realms/realm.queries.ts'
import { type BigBlueButton, CallServerError } from './big-blue-button.ts'
import type { CallContext } from './call-context.ts'
import type { Call } from './call-links.ts'

const MAX_NAME_LENGTH = 100
const ADVICE = 'Ask for another call where you have found the link.'

interface Link {
  readonly input: { readonly bigbluebutton?: string | undefined }
  readonly host: string
  readonly context: CallContext
}

/** A call with its organization and its server. */
interface Found {
  readonly realm: Realm
  readonly call: Call
  readonly server: BigBlueButton
  /** The signed text in the link. */
  readonly text: string
}

/** Asks for a name. No login is needed: everybody with the link may join the call. */
export const handleShowCallPage: Handler<typeof endpoints.realm.showCallPage, CallContext> = async (
  request,
) => {
  const found = await findCall(request)
  return 'call' in found ? callView(found) : found
}

/** Starts the call, unless it is running, and redirects to it. */
export const handleJoinCallPage: Handler<typeof endpoints.realm.joinCallPage, CallContext> = async (
  request,
) => {
  const found = await findCall(request)
  if (!('call' in found)) return found
  const { call, server } = found
  const fullName = (request.input.full_name ?? '').trim()
  if (fullName === '') return callView(found, { wrong: 'Say who you are.' })
  if ([...fullName].length > MAX_NAME_LENGTH)
    return callView(found, { fullName, wrong: `A name can have at most ${MAX_NAME_LENGTH} characters.` })
  try {
    const createTime = await server.createMeeting(call)
    // Moderators could turn the cameras on; without any, nobody can share their screen.
    const role = call.isVoiceOnly ? 'VIEWER' : 'MODERATOR'
    const { meetingId } = call
    return enteringView(found, server.joinUrlOf({ meetingId, fullName, role, createTime }))
  } catch (err) {
    if (!(err instanceof CallServerError)) throw err
    request.log.warn({ err, requestId: request.requestId }, 'a call could not be joined')
    return callView(found, { fullName, isUnavailable: true })
  }
}

/** The call of a link, at the host of its organization; otherwise the page to show instead. */
async function findCall({ input, host, context }: Link): Promise<Found | PageAnswer> {
  const realm = await findRealmByHost(context, host)
  if (!realm) throw new AppError('NONEXISTENT_SUBDOMAIN', { message: 'There is no organization here' })
  if (!realm.isActive) throw new AppError('REALM_DEACTIVATED')
  const text = input.bigbluebutton ?? ''
  const call = context.calls?.links.read(text)
  if (!call || !context.calls || call.realmId !== realm.id) return deadLinkPage(realm, ADVICE)
  return { realm, call, server: context.calls.server, text }
}

function callView(
  { realm, call, text }: Found,
  {
    fullName = '',
    wrong,
    isUnavailable = false,
  }: { fullName?: string; wrong?: string; isUnavailable?: boolean } = {},
): PageAnswer {
  return pageOf(realm, {
    status: isUnavailable ? 503 : wrong === undefined ? 200 : 400,
    title: call.name,
    body: html`${alertOf(isUnavailable ? 'The server for calls doesn’t answer as it should. Try again in a moment, and tell an administrator if that doesn’t help.' : undefined)}<p>${call.isVoiceOnly ? 'A call without pictures.' : 'A video call.'}</p>
<form method="post" action="${endpoints.realm.joinCallPage.path}" novalidate>
<input type="hidden" name="bigbluebutton" value="${text}">
${inputOf({ name: 'full_name', label: 'Your name', value: fullName, autocomplete: 'name', hint: 'As others in the call will see it.', wrong, isFirst: true })}
<button>Join the call</button>
</form>`,
  })
}

/** Browsers don't let a form redirect to another site, so the page does. */
function enteringView({ realm, call }: Found, url: string): PageAnswer {
  return pageOf(realm, {
    title: call.name,
    body: html`<p role="status">You are being taken to the call.</p><p><a href="${url}">Enter it</a> if nothing happens.</p>`,
    leadsTo: url,
  })
}
