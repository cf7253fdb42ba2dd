export type ServerName = 'postgres' | 'redis' | 'rabbitmq'

export const serverTitles: Record<ServerName, string> = {
  postgres: 'PostgreSQL',
  redis: 'Redis',
  rabbitmq: 'RabbitMQ',
}

/** The environment variable that names a server which is there already. */
export const urlVariables: Record<ServerName, string> = {
  postgres: 'POSTGRES_URL',
  redis: 'REDIS_URL',
  rabbitmq: 'RABBITMQ_URL',
}

/** Where a server came from. `packages` is a private instance whose binary was installed from Debian just now. */
export type ServerSource = 'environment' | 'private' | 'docker' | 'packages'

/** One server for each, or Redis and RabbitMQ as clusters of three nodes each. */
export type Topology = 'single' | 'clusters'

/** A process that can be stopped, killed and started by itself. */
export type ServerNode = {
  /** With user and password. PostgreSQL: of a role that may create databases. */
  readonly url: string
  /** Null when it does not run, and when it isn't a process of ours (environment, Docker). */
  readonly pid: number | null
  /** Starts it on the same port and data, and waits until it answers. */
  start(): Promise<void>
  /** Stops it in its orderly way. */
  stop(): Promise<void>
  /** Ends it with SIGKILL; its data stay as the crash left them. */
  kill(): Promise<void>
}

/**
 * One running server, or cluster: then `url` has the URLs of all nodes, separated by commas, `pid` is null, and it is
 * started, stopped and killed as a whole. A server from the environment isn't ours: its `stop` does nothing, `kill` and
 * `start` throw.
 */
export type Server = ServerNode & {
  readonly name: ServerName
  readonly source: ServerSource
  /** The nodes of a cluster that was started here; else none. */
  readonly nodes: readonly ServerNode[]
}

/** What a kind of source gives; `provideServers` adds name and source. */
export type ServerHandle = ServerNode & { readonly nodes?: readonly ServerNode[] }

export type Servers = Record<ServerName, Server> & {
  /** Stops, in order, those that were started here: RabbitMQ, Redis, PostgreSQL. */
  stop(): Promise<void>
  /** Ends them at once, without waiting for order. PostgreSQL recovers at its next start. */
  kill(): Promise<void>
}

export type ProvideOptions = {
  /** The environment to take URLs and image names from and to run children in, normally `process.env`. */
  env: NodeJS.ProcessEnv
  /** Settings and data of the private instances. Only one process at a time may use it. */
  dataDir: string
  /** Where the servers' own output goes, a file each. */
  logDir: string
  /** Nobody will miss the data: nothing waits for a disk. They still outlive the servers, though not a crash of the machine. */
  isThrowaway?: boolean
  /** Default: one server for each. Clusters are started from installed programs alone. */
  topology?: Topology
  /**
   * Private instances accept nothing but TLS, with the certificate that `TLS_CERTIFICATE_FILE` in the environment names;
   * Redis and RabbitMQ take only clients that have one of the same authority.
   */
  acceptsTlsAlone?: boolean
  /** False: never install Debian packages. */
  mayInstall?: boolean
  /** False: pass Docker by. */
  mayUseDocker?: boolean
  /** Called when what a crashed start left running is stopped, and nothing is started yet. Ends the start when it throws. */
  beforeServers?: () => Promise<void>
  /** Called as steps begin and end. */
  onStep?: StepListener
  /** Called when a private instance has been launched: it will be at this URL, though it may not answer yet. */
  onLaunch?: (name: ServerName, url: string) => void
  /** Called when a private instance ends that nobody stopped. */
  onUnexpectedExit?: (name: ServerName, how: string, lastLines: string[]) => void
  /** Ends a start that is under way; what was started is stopped. */
  signal?: AbortSignal | undefined
}

/** Reports the beginning of a step and answers the function that reports its end. */
export type StepListener = (text: string) => (doneText?: string) => void
