/**
 * A poll link: a connection of frames between a gateway and a replica of events, over which the gateway hands over polls that
 * may wait, and streams. One connection carries hundreds of them, and a few frames what a commit brings to all of them. A frame's first
 * text is JSON, of the types here; events come as further texts.
 */
export const pollLink = {
  path: '/internal/poll-link',
  /** Of the header `Upgrade`. A release that changes the frames changes it; gateways then send polls as requests. */
  protocol: 'tms-poll-link-3',
} as const

/** The fields of the answer to a poll, without braces: its events, each as JSON, and its queue. */
export const pollAnswer = (queueId: string, events: readonly string[]): string =>
  `"events":[${events.join(',')}],"queue_id":${JSON.stringify(queueId)}`

/** A server-sent event: an event's JSON, which has no line breaks and begins with its ID. */
export const streamMessage = (event: string): string =>
  `id: ${event.slice(ID_AT, event.indexOf(',', ID_AT))}\ndata: ${event}\n\n`
const ID_AT = '{"id":'.length

/** Tells the client of a stream not to connect again: another poll or stream has the queue. */
export const supersededMessage = 'event: superseded\ndata: {}\n\n'

/** A poll or a stream under a number of the gateway, which is used once; `token` identifies its caller. */
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
  readonly streams: readonly PollRequest[]
  /** Numbers of polls and streams whose clients have left. */
  readonly cancelled: readonly number[]
  /** Numbers of streams, each with the bytes of events that their clients' connections have taken since the last time. */
  readonly taken: readonly (readonly [number: number, bytes: number])[]
}

/** Bytes of events that may be on their way to the client of a stream before it has to take some; an event's bytes are those of its JSON. */
export const STREAM_WINDOW = 64 * 1024

/** How a stream ended: by itself, because another reader took over, or because its client doesn't read. */
export type LinkedStreamEnd = 'ended' | 'superseded' | 'cut_off'

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
  /** The number of a stream, then events for it, like those of an answer: none if it was only opened. */
  readonly streamed: readonly (readonly number[])[]
  /** Comes after the last events. */
  readonly ended: readonly (readonly [number: number, end: LinkedStreamEnd])[]
  /** The numbers of polls that failed, or of streams that could not be opened, each with the fields of an `AppError`. */
  readonly errors: readonly PollError[]
  /** Numbers of polls, and of streams that were not opened, to send as requests, since a link is not for them. */
  readonly returned: readonly number[]
  /** Whether the replica is about to stop: nothing further may be handed over. */
  readonly isLeaving: boolean
}
