import { pollAnswer } from '@tms/contracts'
import { replySuccess, SerializedFields } from '@tms/service-kit'
import { commonHeaders } from '../requests/response-headers.ts'
import { LinkedCall } from './linked-call.ts'

/** A poll that a replica of events answers over a link. */
export class LinkedPoll extends LinkedCall {
  /** Answers with these events, each as JSON. */
  answer(texts: readonly string[]): void {
    if (!this.finish()) return
    const fields = new SerializedFields(pollAnswer(this.query.queueId, texts))
    replySuccess(this.call.response, fields, [], commonHeaders(this.call))
    this.limitReading(this.call.response.socket)
  }

  override endPendingPoll(): void {
    this.answer([])
  }
}
