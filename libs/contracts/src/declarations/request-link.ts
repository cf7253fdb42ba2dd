/**
 * A request link: a connection of frames between a gateway and a replica of a service, over which small requests go whole, many at
 * once, and their answers come back in any order. A frame's first text is JSON, of the types here; bodies are further texts.
 */
export const requestLink = {
  path: '/internal/request-link',
  /** Of the header `Upgrade`. A release that changes the frames changes it; gateways then use HTTP. */
  protocol: 'tms-request-link-1',
} as const

/** A request under a number of the gateway, which is used once; `headers` has names and values in turn. */
type LinkedRequestHead = [number: number, method: string, url: string, headers: readonly string[]]

/** What a gateway sends. */
export interface RequestLinkRequests {
  /** Their bodies are the frame's further texts, empty for none. */
  readonly requests: readonly LinkedRequestHead[]
  /** Numbers of requests that were given up, as when their clients have left. */
  readonly cancelled: readonly number[]
  /** Numbers of answers of which the next part may come. */
  readonly wanted: readonly number[]
}

/** The beginning of an answer, or all of it; `headers` has names and values in turn. */
type LinkedAnswerHead = [number: number, status: number, headers: readonly string[], isWhole: boolean]

/** What a replica sends. */
export interface RequestLinkAnswers {
  /** Their bodies, or the first parts of these, are the frame's next texts. */
  readonly answers: readonly LinkedAnswerHead[]
  /** Further parts of answers that the gateway wanted. Their texts come after those. */
  readonly parts: readonly (readonly [number: number, isLast: boolean])[]
  /** Numbers of answers of which nothing more comes. */
  readonly broken: readonly number[]
  /** Whether the replica is about to stop. The gateway ends the link once it has all answers, so none is lost. */
  readonly isLeaving: boolean
}
