import type { Readable } from 'node:stream'
import type {
  AnyEndpoint,
  Auth,
  Endpoint,
  EndpointInput,
  EndpointOutput,
  endpoints,
  InternalEndpoint,
  internal,
  Parameters,
} from '@tms/contracts'
import type { z } from 'zod'
import type { Logger } from '../telemetry/log.ts'
import type { Caller, Provisioner, Spectator } from '../tokens/tokens.ts'
import type { EventStreamAnswer } from './event-stream-answer.ts'
import type { FileAnswer } from './file-answer.ts'
import type { ReceiveFile } from './file-body.ts'
import type { PageAnswer } from './page-answer.ts'
import type { ReceiveBytes } from './receive-bytes.ts'
import type { HeadersAnswer, JoinedFields, RedirectAnswer, SerializedFields } from './reply.ts'
import type { ScimAnswer } from './scim-answer.ts'

/** Null at public endpoints; spectators and provisioners only at endpoints that are declared for them. */
type CallerOf<A extends Auth> = A extends 'public'
  ? null
  : A extends 'user-or-spectator'
    ? Caller | Spectator
    : A extends 'provisioner'
      ? Provisioner
      : Caller

/** A request as its handler sees it. */
export interface Request<E, Context> {
  readonly input: EndpointInput<E>
  readonly caller: E extends Endpoint<string, Parameters, Parameters, z.ZodType, infer A>
    ? CallerOf<A>
    : never
  readonly context: Context
  readonly requestId: string
  /** Name of the client program. */
  readonly client: string
  /** The host name that the client addressed. */
  readonly host: string
  readonly userAgent: string | undefined
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The query as the client wrote it, without the `?`, for signatures over it. */
  readonly query: string
  readonly log: Logger
  /**
   * Calls the listener when the client has disconnected or was answered. A plain hook, because pending polls pay for
   * it.
   */
  onClosed(listener: () => void): void
  /** The bytes of the field `picture`, unchecked; at endpoints that take one. */
  readonly picture: Buffer | null
  /**
   * Streams the one file of the body; at endpoints that take a file. Parameters beside it are in `input` only after
   * this has resolved, so `consume` can't use them; they are optional.
   */
  readonly receiveFile: ReceiveFile
  /** Streams the body as it is; at endpoints that take bytes. */
  readonly receiveBytes: ReceiveBytes
  /** Undeclared parameters; at endpoints that take such. */
  readonly otherParameters: Readonly<Record<string, string>>
}

export type Handler<E, Context> = (
  request: Request<E, Context>,
) => Promise<
  | EndpointOutput<E>
  | SerializedFields
  | JoinedFields
  | FileAnswer
  | RedirectAnswer
  | PageAnswer
  | HeadersAnswer
  | EventStreamAnswer
  | ScimAnswer
>

type Owner = keyof typeof endpoints
/** A handler for every endpoint that the service owns: a missing one doesn't compile. */
export type HandlersOf<O extends Owner, Context> = {
  readonly [K in keyof (typeof endpoints)[O]]: Handler<(typeof endpoints)[O][K], Context>
}

/** An answer of bytes; `size` if known. */
export interface StreamAnswer {
  readonly content: AsyncIterable<Uint8Array>
  readonly size?: number
}

/** If bytes are uploaded, the handler reads them from `content`, which fails if the caller leaves. */
export type InternalHandler<E, Context> =
  E extends InternalEndpoint<infer B, infer R, infer Direction>
    ? (
        body: z.output<B>,
        context: Context,
        requestId: string,
        ...content: Direction extends 'up' ? [content: Readable] : []
      ) => Promise<Direction extends 'down' ? StreamAnswer : z.output<R>>
    : never

type InternalOwner = keyof typeof internal
/** A handler for every internal endpoint that the service owns. */
export type InternalHandlersOf<O extends InternalOwner, Context> = {
  readonly [K in keyof (typeof internal)[O]]: InternalHandler<(typeof internal)[O][K], Context>
}

/** An endpoint with its handler, types erased for the dispatcher. */
export interface Route<Context> {
  readonly endpoint: AnyEndpoint
  readonly handle: (request: Request<AnyEndpoint, Context>) => Promise<unknown>
}
