import { AsyncLocalStorage } from 'node:async_hooks'
import type { ActorKind } from '@tms/contracts'
import { isProvisioner, type TokenHolder } from '../tokens/tokens.ts'

/** Who causes changes, and from where. */
export interface Origin {
  readonly actorKind: ActorKind
  /** Null unless a user acts. */
  readonly actorId: number | null
  /** The client's IP address, as the gateway passes it on; null if no client asked for it. */
  readonly address: string | null
  /** The client program, as it calls itself. */
  readonly client: string | null
}

const SYSTEM: Origin = { actorKind: 'system', actorId: null, address: null, client: null }
/** Longer names of clients are cut off. */
const MAX_CLIENT_LENGTH = 100

/** What is running, such as a request. */
export interface OriginHolder {
  readonly origin: Origin
  /** The user whose session a browser's request turned out to be of. */
  sessionUserId?: number
}

/**
 * One per process, as the trace context is, so that it need not be passed through every function that leads to an event:
 * a function that forgot it would leave a gap in the audit log.
 */
const origins = new AsyncLocalStorage<OriginHolder>()

/** The origin of what runs now; the installation itself if nothing said otherwise. */
export function currentOrigin(): Origin {
  const holder = origins.getStore()
  if (!holder) return SYSTEM
  const { origin, sessionUserId } = holder
  return sessionUserId === undefined ? origin : { ...origin, actorKind: 'user', actorId: sessionUserId }
}

/** Says whose session the running request is of. Requests of browsers have no other caller. */
export function actAsSessionUser(userId: number): void {
  const holder = origins.getStore()
  if (holder) holder.sessionUserId = userId
}

/** Runs `work` so that everything it does, now and later, has the origin. */
export const runFrom = <T>(holder: OriginHolder, work: () => T): T => origins.run(holder, work)

/** The same for a part of the installation, for the client of which it may work. */
export const runAs = <T>(actorKind: ActorKind, work: () => T): T =>
  runFrom({ origin: { ...currentOrigin(), actorKind, actorId: null } }, work)

/** The origin of a client's request. */
export function originOfRequest(caller: TokenHolder, address: string | undefined, client: string): Origin {
  const actorId = caller?.userId ?? null
  const actorKind = actorId !== null ? 'user' : isProvisioner(caller) ? 'provisioning' : 'nobody'
  return { actorKind, actorId, address: address ?? null, client: client.slice(0, MAX_CLIENT_LENGTH) }
}

/** Header by which a call between services passes its origin on. */
export const ORIGIN_HEADER = 'x-origin'

/** The header's value; null for the installation itself. */
export function writeOrigin(): string | null {
  const origin = currentOrigin()
  return origin === SYSTEM ? null : encodeURIComponent(JSON.stringify(origin))
}

/** The origin of a call between services. Its caller is believed, since it has the key of internal calls. */
export function originOfCall(header: string | undefined, issuer: string): Origin {
  if (header !== undefined) return JSON.parse(decodeURIComponent(header)) as Origin
  return issuer === COMMAND_LINE_ISSUER ? { ...SYSTEM, actorKind: 'command_line' } : SYSTEM
}

/** The issuer of the tokens of `manage`. */
const COMMAND_LINE_ISSUER = 'manage'
