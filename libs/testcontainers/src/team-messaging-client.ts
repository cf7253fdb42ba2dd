import { type Client, createClient, type SendMessageAnswer } from '@tms/client'
import type { Account } from './accounts.ts'
import { Inbox } from './inbox.ts'
import type { Outgoing } from './messages.ts'

/** The API as one account uses it. All methods throw ApiError if the API refuses. */
export class TeamMessagingClient {
  readonly account: Account
  /** Every operation of the API. */
  readonly api: Client

  /** `baseUrl` is called for every request: it changes when the container restarts. */
  constructor(baseUrl: () => string, account: Account) {
    const url = baseUrl()
    const { email, apiKey } = account
    this.account = account
    this.api = createClient({
      ...{ url, email, apiKey },
      fetch: (input, init) => fetch(typeof input === 'string' ? input.replace(url, baseUrl()) : input, init),
    })
  }

  /**
   * Sends a message and returns the answer of `api.sendMessage`, for example its `id`. A channel is identified by its
   * name.
   */
  send(message: Outgoing): Promise<SendMessageAnswer> {
    const { content } = message
    const where =
      'channel' in message
        ? ({ type: 'channel', to: message.channel, topic: message.topic } as const)
        : ({ type: 'direct', to: message.to } as const)
    return this.api.sendMessage({ ...where, content })
  }

  /** Begins to receive messages. Open it before you send what it should receive. */
  openInbox(): Promise<Inbox> {
    return Inbox.open(this.api)
  }
}
