import { AppError, internal } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import type { Notice } from '../kernel/pushes/push.ts'

/** What was handed over so recently is sent as it is: it was read right before. */
export const FRESH_SECONDS = 5
/** Of one call. */
const MAX_ASKED = 100

/** Returns a notice for a user with the text that its message has now; null if it need not appear any more. */
export type RenewNotice = (userId: number, notice: Notice, waitedSeconds: number) => Promise<Notice | null>

interface Asked {
  readonly userId: number
  readonly messageId: number
  readonly answer: PromiseWithResolvers<string | null>
}

/**
 * Has what waited show the text as it is when it is sent, to those who may still read it: a message may be edited because
 * it said too much. One call asks for all that has come up during the one before. Rejects if messaging doesn't answer.
 */
export function createNoticeRenewal({ call }: Pick<Context, 'call'>): RenewNotice {
  const waiting: Asked[] = []
  let isAsking = false

  const askFor = async (asked: readonly Asked[]): Promise<void> => {
    const messages = asked.map(({ userId, messageId }) => ({ user_id: userId, message_id: messageId }))
    try {
      const { texts } = await call(internal.messaging.listPushTexts, { messages })
      for (const { userId, messageId, answer } of asked) {
        const found = texts.find((text) => text.user_id === userId && text.message_id === messageId)
        answer.resolve(found?.content ?? null)
      }
    } catch (err) {
      for (const { answer } of asked) answer.reject(err)
    }
  }
  const askForAll = async (): Promise<void> => {
    if (isAsking) return
    isAsking = true
    while (waiting.length > 0) await askFor(waiting.splice(0, MAX_ASKED))
    isAsking = false
  }
  const read = (userId: number, messageId: number): Promise<string | null> => {
    const answer = Promise.withResolvers<string | null>()
    waiting.push({ userId, messageId, answer })
    void askForAll()
    return answer.promise
  }

  return async (userId, notice, waitedSeconds) => {
    if (notice.kind !== 'message' || waitedSeconds < FRESH_SECONDS) return notice
    try {
      const content = await read(userId, notice.message.message_id)
      return content === null ? null : { ...notice, message: { ...notice.message, content } }
    } catch (err) {
      // Messaging of the release before doesn't know the call.
      if (err instanceof AppError && err.code === 'NOT_FOUND') return notice
      throw err
    }
  }
}
