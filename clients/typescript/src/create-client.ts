import type { CallOptions, ClientOptions } from './call-options.ts'
import { createCaller } from './caller.ts'
import { EventStream } from './event-stream.ts'
import type { EventStreamOptions } from './event-stream-options.ts'
import type { EventType } from './events.ts'
import type { FetchApiKeyAnswer } from './generated/answers.ts'
import { operationTable } from './generated/operation-table.ts'
import type { Operations } from './generated/operations.ts'

/** One account's use of the API: a method for each operation, and the events. */
export interface Client extends Operations {
  /** What it was made from: credentials to keep, for example, after signing in. */
  readonly options: ClientOptions
  /**
   * Follows what happens, from now on. The first item is `registered`, with the state as it is; then come events, whatever
   * happens to the connection or the server meanwhile. The queue is deleted when the loop ends.
   *
   * @throws {ApiError} from the loop when the server refuses: the key isn't valid any more, for example.
   * @throws {NoAnswerError} from the loop when no server comes within `startTimeoutMs` in the first place.
   */
  events<T extends EventType = EventType>(options?: EventStreamOptions<T>): EventStream<T>
}

/**
 * A client for an account of an organization. Sends nothing by itself. Throws a TypeError where no call could be made: the
 * address is none, or one of e-mail and key is missing.
 *
 * Calls throw {@link ApiError} where the API refuses and {@link NoAnswerError} where no answer of it came.
 */
export function createClient(options: ClientOptions): Client {
  const call = createCaller(options)
  const names = Object.keys(operationTable) as (keyof Operations)[]
  const operations = Object.fromEntries(
    names.map((name) => [
      name,
      (parameters?: object, callOptions?: CallOptions) => call(name, parameters, callOptions),
    ]),
  ) as unknown as Operations
  return { ...operations, options, events: (streamOptions) => new EventStream(call, streamOptions ?? {}) }
}

/**
 * A client for whoever has this password (API document, "Authentication"): its `options` hold the API key, to be kept in
 * place of the password. Throws `ApiError` with AUTHENTICATION_FAILED where it is wrong.
 */
export async function signIn(
  url: string,
  { username, password }: { readonly username: string; readonly password: string },
  options: Omit<ClientOptions, 'url' | 'email' | 'apiKey'> = {},
): Promise<Client> {
  const call = createCaller({ ...options, url })
  const { email, api_key } = (await call('fetchApiKey', { username, password })) as FetchApiKeyAnswer
  return createClient({ ...options, url, email, apiKey: api_key })
}
