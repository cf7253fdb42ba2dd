import type { Readable } from 'node:stream'
import { GenericContainer, getContainerRuntimeClient, type InspectResult, Wait } from 'testcontainers'
import {
  type BotOptions,
  type ChannelOptions,
  type OwnerOptions,
  passwordOf,
  type UserOptions,
} from './accounts.ts'
import { explainFailure } from './explain-failure.ts'
import type { Population } from './population.ts'
import { TEAM_MESSAGING_PORT } from './port.ts'
import { RecentLines } from './recent-lines.ts'
import { StartedTeamMessagingContainer, urlOf } from './started-team-messaging-container.ts'

export { TEAM_MESSAGING_PORT } from './port.ts'

export const DEFAULT_IMAGE = 'team-messaging'

/** An idle machine needs seconds; a CI machine may be busy. */
const STARTUP_TIMEOUT_MS = 120_000
/** The system waits for this file: its address is known only once Docker has chosen a port. */
const ADDRESS_FILE = '/tmp/address'

/**
 * The whole system in one container. Everything that is requested here exists when `start` has resolved. All options
 * of a GenericContainer work, too.
 */
export class TeamMessagingContainer extends GenericContainer {
  readonly #image: string
  readonly #population: Population = { users: [], bots: [], channels: [] }
  readonly #lines = new RecentLines()
  #organization = 'Team Messaging'
  #owner: OwnerOptions = {}
  #id: string | null = null

  /** Default image: the one in TEAM_MESSAGING_IMAGE, or `team-messaging`. */
  constructor(image: string = process.env['TEAM_MESSAGING_IMAGE'] || DEFAULT_IMAGE) {
    super(image)
    this.#image = image
    this.withExposedPorts(TEAM_MESSAGING_PORT)
    this.withWaitStrategy(Wait.forLogMessage(/^Ready /))
    this.withStartupTimeout(STARTUP_TIMEOUT_MS)
  }

  /** Sets the organization's name. Default: Team Messaging. */
  withOrganization(name: string): this {
    this.#organization = name
    return this
  }

  /** Sets the organization's owner. Default: owner@example.com. */
  withOwner(options: OwnerOptions): this {
    this.#owner = options
    return this
  }

  /**
   * Adds a person. (As for every GenericContainer, a string is the operating system's user that the container runs
   * as.)
   */
  override withUser(options: UserOptions | string): this {
    if (typeof options === 'string') return super.withUser(options)
    this.#population.users.push(requireName(options, 'fullName', 'withUser'))
    return this
  }

  /** Adds a bot. */
  withBot(options: BotOptions): this {
    this.#population.bots.push(requireName(options, 'fullName', 'withBot'))
    return this
  }

  /** Adds a channel to `general`, `random` and `announcements`, which new people join automatically. */
  withChannel(options: ChannelOptions): this {
    this.#population.channels.push(requireName(options, 'name', 'withChannel'))
    return this
  }

  /** Sets how much the services log to the container's output. Default: warn. */
  withLogLevel(level: 'trace' | 'debug' | 'info' | 'warn' | 'error'): this {
    return this.withEnvironment({ LOG_LEVEL: level })
  }

  override withLogConsumer(logConsumer: (stream: Readable) => unknown): this {
    return super.withLogConsumer((stream) => {
      this.#lines.listen(stream)
      logConsumer(stream)
    })
  }

  /**
   * Starts the system and creates the requested users, bots and channels. Throws an error and leaves nothing running
   * if the system doesn't start (with the container's last lines) or something can't be created (with the API's
   * message).
   */
  override async start(): Promise<StartedTeamMessagingContainer> {
    if (!this.logConsumer) this.withLogConsumer(() => {})
    const {
      fullName = 'Organization Owner',
      email = 'owner@example.com',
      password = passwordOf(email),
    } = this.#owner
    this.withEnvironment({
      EXTERNAL_URL_FILE: ADDRESS_FILE,
      ORGANIZATION_NAME: this.#organization,
      OWNER_FULL_NAME: fullName,
      OWNER_EMAIL: email,
      OWNER_PASSWORD: password,
    })
    const container = await super.start().catch(async (err: unknown) => {
      throw await explainFailure(err, this.#image, await this.#lines.untilEnd())
    })
    try {
      return await StartedTeamMessagingContainer.open(
        container,
        { fullName, email, password },
        this.#population,
      )
    } catch (err) {
      await container.stop()
      throw err
    }
  }

  protected override async containerCreated(id: string): Promise<void> {
    this.#id = id
  }

  /** Writes the address by which clients reach the system, which the system waits for. */
  protected override async containerStarting({ ports }: InspectResult): Promise<void> {
    const { container, info } = await getContainerRuntimeClient()
    const port = ports[`${TEAM_MESSAGING_PORT}/tcp`]?.[0]?.hostPort
    if (this.#id === null || port === undefined)
      throw new Error(
        `port ${TEAM_MESSAGING_PORT} of the container is not published on its host: the module reaches the system there, so it ` +
          "can't run with withNetworkMode('host') or 'none'",
      )
    const address = urlOf(info.containerRuntime.host, port)
    const write = ['sh', '-c', `echo '${address}' >${ADDRESS_FILE}`]
    // Fails if the container has ended already; the wait for it reports that.
    await container.exec(container.getById(this.#id), write).catch(() => {})
  }
}

/** Checks that the options have the name. TypeScript requires it; in JavaScript the start would fail much later. */
function requireName<Field extends string, T extends { readonly [name in Field]: string }>(
  options: T,
  field: Field,
  method: string,
): T {
  const name: unknown = options[field]
  if (typeof name === 'string' && name.trim() !== '') return options
  throw new TypeError(`${method} needs a ${field}, as in ${method}({ ${field}: '…' })`)
}
