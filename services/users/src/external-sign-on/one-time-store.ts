import type { Redis } from '@tms/service-kit'
import { hashSecret } from '../sessions/session-secret.ts'
import type { FlowState, HandOver } from './flow.ts'

/** How long somebody may take at a provider. */
const FLOW_SECONDS = 600
/** How long a browser, or somebody who copies, may take to the organization's host. */
const HAND_OVER_SECONDS = 15

/** What waits for a browser to come back: each is read once. */
export interface OneTimeStore {
  /** Throws if Redis doesn't answer, also below. */
  keepFlow(state: string, flow: FlowState): Promise<void>
  takeFlow(state: string): Promise<FlowState | null>
  keepHandOver(token: string, handOver: HandOver): Promise<void>
  takeHandOver(token: string): Promise<HandOver | null>
  /** True for the first claim of a text within the time, at all replicas together. */
  claim(text: string, seconds: number): Promise<boolean>
}

export function createOneTimeStore(redis: Redis, namespace: string): OneTimeStore {
  // Who reads Redis can't continue a sign-in.
  const keyOf = (kind: string, secret: string) => `${namespace}:signon:${kind}:${hashSecret(secret)}`
  const keep = async (key: string, value: object, seconds: number) => {
    await redis.set(key, JSON.stringify(value), 'EX', seconds, 'NX')
  }
  // One command, so that of two requests at once only one gets it.
  const take = async <T>(key: string): Promise<T | null> => {
    const text = await redis.getdel(key)
    return text === null ? null : (JSON.parse(text) as T)
  }
  return {
    keepFlow: (state, flow) => keep(keyOf('flow', state), flow, FLOW_SECONDS),
    takeFlow: (state) => take<FlowState>(keyOf('flow', state)),
    keepHandOver: (token, handOver) => keep(keyOf('hand-over', token), handOver, HAND_OVER_SECONDS),
    takeHandOver: (token) => take<HandOver>(keyOf('hand-over', token)),
    claim: async (text, seconds) => (await redis.set(keyOf('claim', text), '', 'EX', seconds, 'NX')) === 'OK',
  }
}
