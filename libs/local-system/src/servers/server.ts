export type ServerName = 'postgres' | 'redis' | 'rabbitmq'

export const serverTitles: Record<ServerName, string> = {
  postgres: 'PostgreSQL',
  redis: 'Redis',
  rabbitmq: 'RabbitMQ',
}

/** The environment variable that names an existing server. */
export const urlVariables: Record<ServerName, string> = {
  postgres: 'POSTGRES_URL',
  redis: 'REDIS_URL',
  rabbitmq: 'RABBITMQ_URL',
}

/** Source of a server. `packages` is a private instance whose program was installed from Debian just now. */
export type ServerSource = 'environment' | 'private' | 'docker' | 'packages'

/** One server of each kind, or Redis and RabbitMQ as clusters of three nodes each. */
export type Topology = 'single' | 'clusters'

/** A process that can be stopped, killed and started separately. */
export type ServerNode = {
  /** With user and password. PostgreSQL: of a role that may create databases. */
  readonly url: string
  /** Null if it does not run, or isn't a process of ours (environment, Docker). */
  readonly pid: number | null
  /** Starts it on the same port and data, and waits until it answers. */
  start(): Promise<void>
  /** Stops it gracefully. */
  stop(): Promise<void>
  /** Ends it with SIGKILL; its data stay as the crash left them. */
  kill(): Promise<void>
}

/**
 * One running server, or cluster: then `url` has the URLs of all nodes, separated by commas, `pid` is null, and it is
 * started, stopped and killed as a whole. A server from the environment isn't ours: its `stop` does nothing, `kill`
 * and `start` throw.
 */
export type Server = ServerNode & {
  readonly name: ServerName
  readonly source: ServerSource
  /** The nodes of a cluster that was started here; otherwise empty. */
  readonly nodes: readonly ServerNode[]
}

/** A server as its source provides it; `provideServers` adds name and source. */
export type ServerHandle = ServerNode & { readonly nodes?: readonly ServerNode[] }

export type Servers = Record<ServerName, Server> & {
  /** Stops, in order, those that were started here: RabbitMQ, Redis, PostgreSQL. */
  stop(): Promise<void>
  /** Kills them at once, in any order. PostgreSQL recovers at its next start. */
  kill(): Promise<void>
}

export type ProvideOptions = {
  /** The environment for URLs, image names and child processes, normally `process.env`. */
  env: NodeJS.ProcessEnv
  /** Settings and data of the private instances. Only one process at a time may use it. */
  dataDir: string
  /** The folder for the servers' own output, one file each. */
  logDir: string
  /**
   * The data are disposable: nothing waits for a disk. They still outlive the servers, though not a crash of the
   * machine.
   */
  isThrowaway?: boolean
  /** Default: one server of each kind. Clusters are started only from installed programs. */
  topology?: Topology
  /**
   * Private instances accept only TLS, with the certificate of `TLS_CERTIFICATE_FILE` in the environment; Redis and
   * RabbitMQ accept only clients with a certificate of the same authority.
   */
  requiresTls?: boolean
  /** False: never install Debian packages. */
  mayInstall?: boolean
  /** False: don't use Docker. */
  mayUseDocker?: boolean
  /** Called after leftovers of a crashed start were stopped, before anything is started. If it throws, the start ends. */
  beforeServers?: () => Promise<void>
  /** Called as steps begin and end. */
  onStep?: StepListener
  /** Called when a private instance has been launched: it will be at this URL, though it may not answer yet. */
  onLaunch?: (name: ServerName, url: string) => void
  /** Called if a private instance ends without having been stopped. */
  onUnexpectedExit?: (name: ServerName, how: string, lastLines: string[]) => void
  /** Aborts a start; what was started is stopped. */
  signal?: AbortSignal | undefined
}

/** Reports the beginning of a step and returns the function that reports its end. */
export type StepListener = (text: string) => (doneText?: string) => void
