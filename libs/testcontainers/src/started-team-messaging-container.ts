import { AbstractStartedContainer, type StartedTestContainer } from 'testcontainers'
import {
  type Account,
  type BotOptions,
  type ChannelOptions,
  findAccount,
  type UserOptions,
} from './accounts.ts'
import {
  createBot,
  createChannel,
  createUser,
  listBots,
  listEmails,
  loginOf,
  type Population,
  signIn,
} from './population.ts'
import { TEAM_MESSAGING_PORT } from './port.ts'
import { TeamMessagingClient } from './team-messaging-client.ts'

/** A running system for a test. */
export class StartedTeamMessagingContainer extends AbstractStartedContainer {
  readonly #owner: Account
  readonly #accounts: Account[]

  private constructor(container: StartedTestContainer, owner: Account) {
    super(container)
    this.#owner = owner
    this.#accounts = [owner]
  }

  /**
   * Called by `TeamMessagingContainer.start` once the system answers: creates the requested users, bots and channels.
   * Existing ones of a reused container stay unchanged.
   */
  static async open(
    container: StartedTestContainer,
    owner: { email: string; password: string; fullName: string },
    { users, bots, channels }: Population,
  ): Promise<StartedTeamMessagingContainer> {
    const baseUrl = baseUrlOf(container)
    const started = new StartedTeamMessagingContainer(
      container,
      await signIn(baseUrl, owner.email, owner.password, owner.fullName),
    )
    const existingEmails = users.length === 0 ? new Set() : await listEmails(baseUrl, started.#owner)
    for (const user of users) {
      const { email, password } = loginOf(user)
      if (!existingEmails.has(email.toLowerCase())) await started.createUser(user)
      else started.#accounts.push(await signIn(baseUrl, email, password, user.fullName))
    }
    for (const bot of bots) {
      const known = (await listBots(baseUrl, started.#ownerOf(bot))).find(
        (one) => one.fullName === bot.fullName,
      )
      if (known) started.#accounts.push(known)
      else await started.createBot(bot)
    }
    for (const channel of channels) await started.createChannel(channel)
    return started
  }

  /** For example `http://localhost:32768`; the API is at `/api/v1` below it. Changes with `restart`. */
  getBaseUrl(): string {
    return baseUrlOf(this.startedTestContainer)
  }

  /** The organization's owner, who may do everything. */
  getOwner(): Account {
    return this.#owner
  }

  /**
   * A person or bot that was created here, by name or e-mail. Throws an error that lists the accounts if there is
   * none.
   */
  getUser(nameOrEmail: string): Account {
    return findAccount(this.#accounts, nameOrEmail)
  }

  /** A client of an account, by name or e-mail; by default the owner's. */
  getClient(nameOrEmail?: string): TeamMessagingClient {
    const account = nameOrEmail === undefined ? this.#owner : this.getUser(nameOrEmail)
    return new TeamMessagingClient(() => this.getBaseUrl(), account)
  }

  /** Like the other methods, throws an error with the API's message if the API refuses; its cause is the ApiError. */
  async createUser(options: UserOptions): Promise<Account> {
    return this.#add(await createUser(this.getBaseUrl(), this.#owner, options))
  }

  async createBot(options: BotOptions): Promise<Account> {
    return this.#add(await createBot(this.getBaseUrl(), this.#ownerOf(options), options))
  }

  async createChannel(options: ChannelOptions): Promise<void> {
    await createChannel(this.getBaseUrl(), this.#owner, options, this.#accounts)
  }

  #add(account: Account): Account {
    this.#accounts.push(account)
    return account
  }

  #ownerOf({ owner }: BotOptions): Account {
    return owner === undefined ? this.#owner : this.getUser(owner)
  }
}

function baseUrlOf(container: StartedTestContainer): string {
  return urlOf(container.getHost(), container.getMappedPort(TEAM_MESSAGING_PORT))
}

/** The base URL of a host and port. */
export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
