import type { CallOptions, ClientOptions } from './call-options.ts'
import { createCaller } from './caller.ts'
import { EventStream } from './event-stream.ts'
import type { EventStreamOptions } from './event-stream-options.ts'
import type { EventType } from './events.ts'
import type { FetchApiKeyAnswer } from './generated/answers.ts'
import { operationTable } from './generated/operation-table.ts'
import type { Operations } from './generated/operations.ts'

/** The API for one account: a method for each operation, and the events. */
export interface Client extends Operations {
  /** The options of this client; after signing in they hold the credentials to store. */
  readonly options: ClientOptions
  /**
   * Follows events from now on. The first item is `registered`, with the current state; the events since then follow, across
   * failures of the connection and the server. The queue is deleted when the loop ends.
   *
   * @throws {ApiError} from the loop if the server rejects a request, for example since the key is no longer valid.
   * @throws {NoAnswerError} from the loop if no server answers within `startTimeoutMs` at the start.
   */
  events<T extends EventType = EventType>(options?: EventStreamOptions<T>): EventStream<T>
}

/**
 * Creates a client for an account of an organization. Sends no request. Throws a TypeError for invalid options: the URL is
 * not valid, or only one of e-mail and key is given.
 *
 * Calls throw {@link ApiError} if the API returns an error and {@link NoAnswerError} if the API doesn't answer.
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
 * Signs in with a password (API document, "Authentication") and creates a client, whose `options` hold the API key, to be
 * stored in place of the password. Throws `ApiError` with AUTHENTICATION_FAILED if the password is wrong.
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
