import type { Push, PushSender } from '../../kernel/pushes/push.ts'
import type { RelayedService, SealedNotice } from '../../kernel/pushes/push-relay.ts'
import {
  type ClientKey,
  clientKeyOf,
  writeSealedApnsPayload,
  writeSealedFcmPayload,
} from '../sealed/sealed-payload.rules.ts'
import { type RelaySenderTools, resultOfError } from './relay-sender.ts'

/** Sends to clients for which notifications are encrypted, by a push relay service that knows their tokens. */
export function createSealedRelaySender(
  kind: RelayedService,
  {
    relay,
    recordState,
    hastenReport,
    showsContent,
  }: Pick<RelaySenderTools, 'relay' | 'recordState' | 'hastenReport'> & { readonly showsContent: boolean },
): PushSender {
  const write = kind === 'apns' ? writeApnsNotice : writeFcmNotice
  return {
    send: async (device, push) => {
      const key = clientKeyOf(device)
      if (key === null) return { kind: 'gone', reason: 'it has no key' }
      try {
        const { gone, state } = await relay.notifySealed(
          push.realmId,
          write(device.token, push, key, showsContent),
        )
        if (state !== null) recordState(push.realmId, state)
        return gone.includes(device.token)
          ? { kind: 'gone', reason: 'the push relay service does not know it' }
          : { kind: 'sent' }
      } catch (err) {
        return resultOfError(err, push, { recordState, hastenReport })
      }
    },
    close: () => {},
  }
}

const writeFcmNotice = (
  token_id: string,
  push: Push,
  key: ClientKey,
  showsContent: boolean,
): SealedNotice => ({
  ...{ token_id, fcm_priority: push.notice.kind === 'remove' ? 'normal' : 'high' },
  payload: writeSealedFcmPayload(push, key, showsContent),
})

const writeApnsNotice = (
  token_id: string,
  push: Push,
  key: ClientKey,
  showsContent: boolean,
): SealedNotice => ({
  token_id,
  http_headers:
    push.notice.kind === 'remove'
      ? { apns_priority: 5, apns_push_type: 'background' }
      : { apns_priority: 10, apns_push_type: 'alert' },
  payload: writeSealedApnsPayload(push, key, showsContent),
})
