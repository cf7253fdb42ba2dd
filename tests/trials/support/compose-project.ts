// A Compose project for a trial.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pickFreePort } from '@tms/local-system'
import { repoRoot } from '../../../tools/repo-root.ts'
import { type Client, createClient } from './client.ts'
import { type RunOptions, run, runProgram, succeeds, until } from './programs.ts'

/** The folder with the Compose files and scripts. */
export const deployFolder = join(repoRoot, 'deploy')

interface ProjectOptions {
  /** Names of Compose files in the folder `deploy`. */
  files?: string[]
  /** Variables of these files, by the port of the API. */
  variables?: (port: number) => Record<string, string>
  /** Text of a further Compose file. */
  settings?: string
}

interface ComposeOptions extends RunOptions {
  /** Null: the one in the .env file. */
  version?: string | null
  folder?: string
}

export interface ComposeProject extends Client {
  env: NodeJS.ProcessEnv
  /** The file with the passwords. */
  envFile: string
  /** Runs Compose and returns its output. Throws if it fails, unless `mayFail`. */
  compose: (args: string[], options?: ComposeOptions) => string
  /** Starts everything and waits until the API answers and the first organization exists. */
  start: () => Promise<void>
  /** Runs a command for operators and returns its result. */
  manage: <T>(...args: string[]) => T
  /** Runs documented commands in this folder with the project's .env file; `remove` removes their backups. */
  runDocumented: (commands: string) => Promise<void>
  /** Runs a shell command in a new container of an image and returns the lines of its output. */
  inImage: (image: string, shell: string) => string[]
  inspect: (image: string) => ImageMetadata
  /** The environment of a container. */
  variablesOf: (container: string) => string[]
  /** Removes everything but the images. */
  remove: () => void
}

export interface ImageMetadata {
  Id: string
  Config: { Labels?: Record<string, string>; Healthcheck?: object }
}

/** Creates a project with passwords and a port of its own. Without Docker and Compose, it ends the trial as skipped. */
export async function createProject(options: ProjectOptions = {}): Promise<ComposeProject> {
  const program = findCompose()
  if (program === null) {
    console.log('skipped: Docker with Compose does not answer here\n0 passed, 0 failed')
    process.exit(0)
  }
  const {
    files = ['compose.yaml'],
    variables = (port: number) => ({ GATEWAY_PORT: String(port) }),
    settings,
  } = options
  const folder = mkdtempSync(join(tmpdir(), 'tms-try-'))
  const port = await pickFreePort()
  const rootHost = `localhost:${port}`
  const envFile = join(folder, '.env')
  const paths = files.map((name) => join(deployFolder, name))
  if (settings !== undefined) {
    paths.push(join(folder, 'compose.settings.yaml'))
    writeFileSync(join(folder, 'compose.settings.yaml'), settings)
  }
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    COMPOSE_PROJECT_NAME: `tms-try-${process.pid}`,
    EXTERNAL_HOST: rootHost,
    ...variables(port),
    COMPOSE_FILE: paths.join(delimiter),
    ENV_FILE: envFile,
  }
  const version = env.TMS_VERSION ?? 'local'
  copyFileSync(join(deployFolder, 'make-env.sh'), join(folder, 'make-env.sh'))
  run(env, ['sh', join(folder, 'make-env.sh')])

  const tagOf = (image: string) => `tms-${image}:${version}`
  const compose: ComposeProject['compose'] = (args, composeOptions = {}) => {
    const { version: wanted = version, folder: at = deployFolder, ...others } = composeOptions
    const file = at === deployFolder ? env.COMPOSE_FILE : join(at, 'compose.yaml')
    return run(
      { ...env, TMS_VERSION: wanted ?? undefined, COMPOSE_FILE: file },
      [...program, '--env-file', envFile, '--project-directory', at, ...args],
      others,
    )
  }
  const client = createClient({ port, host: `sales.${rootHost}` })

  return {
    ...client,
    env,
    envFile,
    compose,
    start: async () => {
      compose(['up', '--detach'])
      await until(async () => {
        const answer = await client.send('GET', '/api/v1/server_settings', { to: rootHost }).catch(() => null)
        // This line is printed last, for a new and an existing organization.
        return (
          answer?.status === 200 &&
          compose(['logs', 'first-organization'], { mayFail: true }).includes('Address ')
        )
      }, 'everything to start')
    },
    manage: (...args) => JSON.parse(compose(['run', '--rm', '-T', 'manage', ...args, '--json'])),
    runDocumented: async (commands) => {
      const script = `set -a; . "$ENV_FILE"; set +a; ${commands.replaceAll('docker compose', program.join(' '))}`
      const backups = { BACKUPS: join(folder, 'backups'), TMS_VERSION: version }
      await runProgram('sh', ['-c', `cd '${deployFolder}'\n${script}`], { env: { ...env, ...backups } })
    },
    inImage: (image, shell) =>
      run(env, ['docker', 'run', '--rm', '--entrypoint=sh', tagOf(image), '-c', shell])
        .trim()
        .split('\n'),
    inspect: (image) => firstOf(run(env, ['docker', 'image', 'inspect', tagOf(image)])),
    variablesOf: (container) =>
      firstOf<{ Config: { Env: string[] } }>(run(env, ['docker', 'container', 'inspect', container])).Config
        .Env,
    remove: () => {
      compose(['down', '--volumes', '--timeout=5'], { mayFail: true })
      rmSync(folder, { recursive: true })
    },
  }
}

/** What `docker inspect` prints of one object. */
function firstOf<T>(output: string): T {
  const [first]: T[] = JSON.parse(output)
  if (first === undefined) throw new Error('docker inspect printed nothing')
  return first
}

/** Finds Compose, as a plug-in of Docker or as a separate program. */
function findCompose(): readonly [string, ...string[]] | null {
  if (!succeeds('docker', 'info')) return null
  if (succeeds('docker', 'compose', 'version')) return ['docker', 'compose']
  return succeeds('docker-compose', 'version') ? ['docker-compose'] : null
}
