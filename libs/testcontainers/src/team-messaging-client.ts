import type { Account } from './accounts.ts'
import { type Answer, type Call, callApi, type Method, type Parameters } from './call-api.ts'
import { Inbox } from './inbox.ts'
import type { Outgoing } from './messages.ts'

/** The API as one account uses it. Paths are below /api/v1; all throw RefusedError for what the API refuses. */
export class TeamMessagingClient {
  readonly account: Account
  readonly #baseUrl: () => string

  /** The base URL is asked for at every call: a container that starts again has another. */
  constructor(baseUrl: () => string, account: Account) {
    this.#baseUrl = baseUrl
    this.account = account
  }

  /** Texts among the parameters are sent as they are, everything else as JSON. */
  get(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.#call('GET', path, { parameters })
  }

  post(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.#call('POST', path, { parameters })
  }

  patch(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.#call('PATCH', path, { parameters })
  }

  delete(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.#call('DELETE', path, { parameters })
  }

  /** Sends a message and answers its ID. */
  async send(message: Outgoing): Promise<number> {
    const { content } = message
    const where =
      'channel' in message
        ? { type: 'stream', to: message.channel, topic: message.topic }
        : { type: 'direct', to: message.to }
    return Number((await this.post('/messages', { ...where, content }))['id'])
  }

  /** Begins to listen for messages: open it before what is to be heard is sent. */
  openInbox(): Promise<Inbox> {
    return Inbox.open((method, path, call) => this.#call(method, path, call))
  }

  #call(method: Method, path: string, call: Call = {}): Promise<Answer> {
    return callApi(this.#baseUrl(), method, path, { ...call, credentials: this.account })
  }
}
