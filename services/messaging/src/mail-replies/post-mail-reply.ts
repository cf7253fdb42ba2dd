import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findFirstAttempt } from '../messages/idempotency-key.queries.ts'
import { permanentErrorText } from '../messages/permanent-error.rules.ts'
import { prepareMessage } from '../messages/prepare-message.ts'
import { sendOnce } from '../messages/send-message.ts'
import { requestOf } from './mail-reply.ts'

/** Checks a reply before its attachments are stored, which a refused one would leave behind. */
export const handleCheckMailReply: InternalHandler<typeof internal.messaging.checkMailReply, Context> = (
  reply,
  context,
  requestId,
) =>
  unlessRefused(async () => {
    const request = await requestOf(context, reply, requestId)
    const { sender, idempotencyKey } = request
    if (idempotencyKey && (await findFirstAttempt(context.db, sender.userId, idempotencyKey)))
      return { state: 'posted', reason: null } as const
    await prepareMessage(context, request)
    return { state: 'open', reason: null } as const
  })

/** Posts a reply with the permissions that the user has now. */
export const handlePostMailReply: InternalHandler<typeof internal.messaging.postMailReply, Context> = (
  reply,
  context,
  requestId,
) =>
  unlessRefused(async () => {
    await sendOnce(context, await requestOf(context, reply, requestId))
    return { state: 'posted', reason: null } as const
  })

async function unlessRefused<T>(
  work: () => Promise<T>,
): Promise<T | { readonly state: 'refused'; readonly reason: string }> {
  try {
    return await work()
  } catch (err) {
    const reason = permanentErrorText(err)
    if (reason === null) throw err
    return { state: 'refused', reason }
  }
}
