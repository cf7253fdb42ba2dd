import type { RealmProjection, SignInRefusalReason } from '@tms/contracts'
import { recordRefusal } from '../credentials/record-refusal.ts'
import type { BrowserRequest } from '../sessions/browser-request.ts'
import type { SignOnContext } from './sign-on-context.ts'

interface RefusedRequest extends Pick<BrowserRequest, 'headers'> {
  readonly context: SignOnContext
  readonly requestId: string
}

interface RefusedSignIn {
  /** The name in sessions. */
  readonly method: string
  readonly reason: SignInRefusalReason
  /** The account that it led to; without it, there was none. */
  readonly userId?: number | undefined
}

/** Records for the audit log that a sign-in by another server than this one was refused. */
export const noteRefusal = (
  { context, headers, requestId }: RefusedRequest,
  realm: RealmProjection,
  { method, reason, userId }: RefusedSignIn,
): Promise<void> =>
  recordRefusal(context, realm, {
    ...{ method, reason, userId: userId ?? null, requestId },
    address: headers['x-forwarded-for'],
  })
