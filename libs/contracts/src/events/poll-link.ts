/**
 * A poll link: a connection of frames between a gateway and a replica of events, over which the gateway hands over polls that
 * may wait. One connection carries hundreds of them, and one frame the answers to all that a commit ends. A frame's first text is
 * JSON, of the types here; events come as further texts.
 */
export const pollLink = {
  path: '/internal/poll-link',
  /** Of the header `Upgrade`. A release that changes the frames changes it; gateways then send polls as requests. */
  protocol: 'tms-poll-link-1',
} as const

/** The fields of the answer to a poll, without braces: its events, each as JSON, and its queue. */
export const pollAnswer = (queueId: string, events: readonly string[]): string =>
  `"events":[${events.join(',')}],"queue_id":${JSON.stringify(queueId)}`

/** A poll under a number of the gateway, which is used once; `token` identifies its caller. */
export type PollRequest = [
  number: number,
  token: string,
  requestId: string,
  queueId: string,
  lastEventId: number | null,
]

/** What a gateway sends. */
export interface PollLinkRequests {
  readonly polls: readonly PollRequest[]
  /** Numbers of polls whose clients have left. */
  readonly cancelled: readonly number[]
}

export type PollError = [
  number: number,
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>>,
]

/** What a replica of events sends. */
export interface PollLinkAnswers {
  /** The number of a poll, then its events, as positions among the texts after the first. */
  readonly answers: readonly (readonly number[])[]
  /** The numbers of polls that failed, each with the fields of an `AppError`. */
  readonly errors: readonly PollError[]
  /** Numbers of polls to send as requests, since a link is not for them. */
  readonly returned: readonly number[]
  /** Whether the replica is about to stop: no further polls may be handed over. */
  readonly isLeaving: boolean
}
