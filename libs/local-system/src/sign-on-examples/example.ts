import type { StepListener } from '../servers/server.ts'
import type { ExamplePerson } from './people.ts'

export type ExampleContext = {
  env: NodeJS.ProcessEnv
  dataDir: string
  logDir: string
  /** False: never install Debian packages. */
  mayInstall: boolean
  /** URL of the installation, to which providers send browsers back, without a trailing slash. */
  chatUrl: string
  people: readonly ExamplePerson[]
  /** Of all of them. */
  password: string
  onStep: StepListener
  /** Called if a process ends without having been stopped. */
  onUnexpectedExit(process: ExampleProcess, how: string, lastLines: string[]): void
  /** Aborts a start. */
  signal: AbortSignal
}

/** A part of `SIGN_ON`. */
export type SignOnPart = { ldap?: object; saml?: object; providers?: readonly object[] }

export type ExampleProcess = {
  /** As messages name it. */
  readonly title: string
  start(): Promise<void>
  stop(): Promise<void>
  kill(): Promise<void>
}

/** An example that is ready for people to sign in by it. */
export type RunningExample = {
  readonly process: ExampleProcess
  readonly signOn: SignOnPart
  /** How to sign in by it: what to do at the log-in page of the chat. */
  readonly hint: string
}

/** A way to sign in that `npm start -- --with` adds. */
export type Example = {
  /** Installs what it needs. Throws an error that says what to install. */
  prepare(context: Pick<ExampleContext, 'env' | 'mayInstall' | 'onStep'>): Promise<void>
  /** Resolves when it answers. */
  start(context: ExampleContext): Promise<RunningExample>
}
