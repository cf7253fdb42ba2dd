import type { Push, PushSender, SendResult } from '../../kernel/pushes/push.ts'
import {
  type PushRelay,
  PushRelayError,
  type RelayedService,
  type RelayState,
  SENDS_NOTHING,
} from '../../kernel/pushes/push-relay.ts'
import { writeFcmData, writeRelayedApnsPayload } from '../apps/app-payload.rules.ts'

type Tokens = Readonly<Record<RelayedService, readonly string[]>>

export interface RelaySenderTools {
  readonly relay: PushRelay
  /** The tokens of a user's devices, and when these were all. */
  readonly listTokens: (userId: number) => Promise<{ readonly tokens: Tokens; readonly readAt: string }>
  /** Deletes devices that the service doesn't know, unless they were registered again since. */
  readonly forget: (user: Pick<Push, 'realmId' | 'userId'>, gone: Tokens, readAt: string) => Promise<void>
  /** Records what the service says about an organization. */
  readonly recordState: (realmId: number, state: RelayState) => void
  /** Has the organizations reported soon: the service doesn't know one. */
  readonly hastenReport: () => void
}

/** Sends to all apps of a user by a push relay service. */
export function createRelaySender({
  relay,
  listTokens,
  forget,
  recordState,
  hastenReport,
  showsContent,
}: RelaySenderTools & { readonly showsContent: boolean }): PushSender {
  return {
    send: async (_device, push) => {
      try {
        const { tokens, readAt } = await listTokens(push.userId)
        if (tokens.apns.length + tokens.fcm.length === 0)
          return { kind: 'gone', reason: 'the user has no app any more' }
        const mayShow = showsContent && !push.realm.requiresEncryption
        const { gone, state } = await relay.notify({
          ...{ realmId: push.realmId, userId: push.userId, tokens },
          gcm_payload: writeFcmData(push, mayShow),
          gcm_options: { priority: push.notice.kind === 'remove' ? 'normal' : 'high' },
          apns_payload: writeRelayedApnsPayload(push, mayShow),
        })
        if (state !== null) recordState(push.realmId, state)
        if (gone.apns.length + gone.fcm.length > 0) await forget(push, gone, readAt)
        return { kind: 'sent' }
      } catch (err) {
        return resultOfError(err, push, { recordState, hastenReport })
      }
    },
    close: () => {},
  }
}

/** An operator has to register the installation, or to set the key; meanwhile all waits. */
const UNREGISTERED_MS = 60_000
/** Before it is asked again for what it may have done: not at once, so that a short failure of it loses nothing. */
const UNCLEAR_MS = 20_000

/** What is to become of a notification for which the service was called in vain. */
export function resultOfError(
  err: unknown,
  { realmId }: Pick<Push, 'realmId'>,
  { recordState, hastenReport }: Pick<RelaySenderTools, 'recordState' | 'hastenReport'>,
): SendResult {
  const reason = err instanceof Error ? err.message : 'unknown'
  if (!(err instanceof PushRelayError)) return { kind: 'retry', reason, afterMs: null, scope: 'device' }
  if (err.fault === 'unregistered')
    return { kind: 'retry', reason, afterMs: err.afterMs ?? UNREGISTERED_MS, scope: 'service' }
  if (err.isUnclear)
    return { kind: 'retry', reason, afterMs: err.afterMs ?? UNCLEAR_MS, scope: 'device', isUnclear: true }
  if (err.code === 'MISSING_REMOTE_REALM') {
    hastenReport()
    return { kind: 'retry', reason, afterMs: null, scope: 'device' }
  }
  if (err.fault !== 'refused') return { kind: 'retry', reason, afterMs: err.afterMs, scope: 'service' }
  if (err.code === 'PUSH_NOTIFICATIONS_DISALLOWED') recordState(realmId, SENDS_NOTHING)
  return { kind: 'refused', reason }
}
