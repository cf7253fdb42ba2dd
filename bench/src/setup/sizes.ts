/** How much each part does. */
export interface Sizes {
  /** Of each measured load. */
  readonly loadSeconds: number
  readonly warmUpSeconds: number
  readonly senderCounts: readonly number[]
  readonly subscriberCounts: readonly number[]
  /** Sizes alternate, so that noise affects all alike. */
  readonly latencyRounds: number
  readonly sendsPerRound: number
  readonly deliveryRounds: number
  readonly deliveriesPerRound: number
  readonly tracedSends: number
  /** Messages that move at once, between channels with these numbers of subscribers, back and forth this often. */
  readonly moves: {
    readonly messages: number
    readonly subscribers: readonly number[]
    readonly rounds: number
  }
  /** The history for narrows and searches. */
  readonly historyMessages: number
  readonly pageRounds: number
  readonly pagesPerRound: number
  readonly flagRounds: number
  /** Live queues, with the number of messages that are sent sequentially and in a stream. */
  readonly queueLoads: readonly { queues: number; singly: number; streamed: number }[]
  /** Registrations in organizations of these sizes: the number of rounds, and the concurrency of the last ones. */
  readonly registers: { readonly users: readonly number[]; readonly rounds: number; readonly atOnce: number }
  /** Pending polls between which memory is compared. */
  readonly pendingPolls: { readonly from: number; readonly to: number }
  /** Live queues on several replicas: few and all of them with the same messages, then all with messages to all. */
  readonly scale: {
    readonly fewQueues: number
    readonly queues: number
    readonly messagesPerSecond: number
    readonly compareSeconds: number
    readonly sustainedSeconds: number
  }
  /** Messages to some queues while replicas start and stop. */
  readonly handover: { readonly queues: number; readonly messagesPerSecond: number; readonly seconds: number }
}

export const fullSizes: Sizes = {
  loadSeconds: 5,
  warmUpSeconds: 1.5,
  senderCounts: [1, 10, 50],
  subscriberCounts: [10, 1_000, 10_000, 100_000],
  latencyRounds: 16,
  sendsPerRound: 25,
  deliveryRounds: 12,
  deliveriesPerRound: 25,
  tracedSends: 200,
  moves: { messages: 1_000, subscribers: [10, 1_000, 10_000, 100_000], rounds: 3 },
  historyMessages: 1_000_000,
  pageRounds: 10,
  pagesPerRound: 10,
  flagRounds: 30,
  queueLoads: [
    { queues: 10, singly: 100, streamed: 2_000 },
    { queues: 1_000, singly: 30, streamed: 300 },
    { queues: 5_000, singly: 10, streamed: 100 },
  ],
  registers: { users: [10_000, 50_000], rounds: 120, atOnce: 8 },
  pendingPolls: { from: 500, to: 5_000 },
  scale: { fewQueues: 100, queues: 20_000, messagesPerSecond: 50, compareSeconds: 60, sustainedSeconds: 600 },
  handover: { queues: 100, messagesPerSecond: 20, seconds: 10 },
}

export const quickSizes: Sizes = {
  ...fullSizes,
  loadSeconds: 2,
  warmUpSeconds: 1,
  latencyRounds: 6,
  deliveryRounds: 4,
  tracedSends: 60,
  moves: { messages: 1_000, subscribers: [10, 1_000, 10_000], rounds: 2 },
  historyMessages: 100_000,
  pageRounds: 4,
  pagesPerRound: 5,
  flagRounds: 10,
  queueLoads: [
    { queues: 10, singly: 30, streamed: 500 },
    { queues: 500, singly: 4, streamed: 100 },
  ],
  registers: { users: [2_000, 10_000], rounds: 10, atOnce: 4 },
  pendingPolls: { from: 100, to: 600 },
  scale: { fewQueues: 100, queues: 1_000, messagesPerSecond: 50, compareSeconds: 8, sustainedSeconds: 10 },
  handover: { queues: 50, messagesPerSecond: 20, seconds: 8 },
}
