// A Compose project for a trial, and helpers.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from './trial-client.mjs'
import { getErrorMessage } from './trial-steps.mjs'

const here = dirname(fileURLToPath(import.meta.url))
/** Long enough for migrations and the slowest start on a busy machine. */
const WAIT_TIMEOUT_MS = 180_000
const POLL_MS = 500

/**
 * Creates a project with passwords and a port of its own; null without Docker and Compose. `files` are its Compose files in this
 * folder, `variables` returns their variables for the port, `settings` is the text of a further file.
 */
export async function createTrial({
  files = ['compose.yaml'],
  variables = (port) => ({ GATEWAY_PORT: String(port) }),
  settings = null,
} = {}) {
  const program = findCompose()
  if (!program) return null
  const folder = mkdtempSync(join(tmpdir(), 'tms-try-'))
  const port = await findFreePort()
  const rootHost = `localhost:${port}`
  const host = `sales.${rootHost}`
  const env = {
    ...process.env,
    COMPOSE_PROJECT_NAME: `tms-try-${process.pid}`,
    EXTERNAL_HOST: rootHost,
    ...variables(port),
  }
  copyFileSync(join(here, 'make-env.sh'), join(folder, 'make-env.sh'))
  run(env, ['sh', join(folder, 'make-env.sh')])
  const paths = files.map((name) => join(here, name))
  if (settings) {
    paths.push(join(folder, 'compose.settings.yaml'))
    writeFileSync(join(folder, 'compose.settings.yaml'), settings)
  }
  env.COMPOSE_FILE = paths.join(delimiter)
  env.ENV_FILE = join(folder, '.env')

  const tagOf = (image) => `tms-${image}:${env.TMS_VERSION ?? 'local'}`

  /** Runs Compose and returns its output; throws if it fails, unless `mayFail`. Version null: the one in the .env file. */
  const compose = (args, { version = env.TMS_VERSION ?? 'local', folder = here, ...options } = {}) => {
    const files = folder === here ? env.COMPOSE_FILE : join(folder, 'compose.yaml')
    return run(
      { ...env, TMS_VERSION: version ?? undefined, COMPOSE_FILE: files },
      [...program, '--env-file', env.ENV_FILE, '--project-directory', folder, ...args],
      options,
    )
  }

  const client = createClient({ port, host })
  const { send } = client

  return {
    rootHost,
    host,
    port,
    env,
    compose,
    ...client,
    /** Starts everything and waits until the API answers and the first organization exists. */
    start: async () => {
      compose(['up', '--detach'])
      await until(async () => {
        const answer = await send('GET', '/api/v1/server_settings', { to: rootHost }).catch(() => null)
        // This line is printed last, for a new and an existing organization.
        return (
          answer?.status === 200 &&
          compose(['logs', 'first-organization'], { mayFail: true }).includes('Address ')
        )
      }, 'everything to start')
    },
    /** Runs a command for operators and returns its result. */
    manage: (...args) => JSON.parse(compose(['run', '--rm', '-T', 'manage', ...args, '--json'])),
    /** Runs documented commands in this folder with the trial's .env file; the trial's end removes their backups. */
    runDocumented: async (commands) => {
      const script = `set -a; . "$ENV_FILE"; set +a; ${commands.replaceAll('docker compose', program.join(' '))}`
      const variables = { BACKUPS: join(folder, 'backups'), TMS_VERSION: env.TMS_VERSION ?? 'local' }
      await runProgram('sh', ['-c', `cd '${here}'\n${script}`], { env: { ...env, ...variables } })
    },
    /** Runs a shell command in a new container of an image and returns the lines of its output. */
    inImage: (image, shell) =>
      run(env, ['docker', 'run', '--rm', '--entrypoint=sh', tagOf(image), '-c', shell])
        .trim()
        .split('\n'),
    /** The metadata of an image. */
    inspect: (image) => JSON.parse(run(env, ['docker', 'image', 'inspect', tagOf(image)]))[0],
    /** The environment of a container. */
    variablesOf: (id) => JSON.parse(run(env, ['docker', 'container', 'inspect', id]))[0].Config.Env,
    /** Removes everything but the images. */
    remove: () => {
      compose(['down', '--volumes', '--timeout=5'], { mayFail: true })
      rmSync(folder, { recursive: true })
    },
  }
}

/** Throws unless the condition holds. */
export function expect(holds, message) {
  if (!holds) throw new Error(message)
}

/** Waits until the condition holds. Throws after three minutes. */
export async function until(holds, what) {
  for (const deadline = Date.now() + WAIT_TIMEOUT_MS; !(await holds()); await sleep(POLL_MS)) {
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`)
  }
}

/** Runs a program with inherited output, asynchronously. Rejects if it fails. */
export async function runProgram(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
  const [code] = await once(child, 'close')
  expect(code === 0, `${[command, ...args].join(' ')} ended with ${code}`)
}

function run(env, [command, ...args], { stdout = 'pipe', mayFail = false } = {}) {
  const ended = spawnSync(command, args, {
    env,
    encoding: 'utf8',
    stdio: ['ignore', stdout, 'pipe'],
    maxBuffer: 64 * 1024 ** 2,
  })
  if (ended.status !== 0 && !mayFail) {
    const output = ended.error ? getErrorMessage(ended.error) : String(ended.stderr).slice(-4_000)
    throw new Error(`${[command, ...args].join(' ')} ended with ${ended.status}: ${output}`)
  }
  return ended.stdout ?? ''
}

/** Finds Compose, as a plug-in of Docker or as a separate program. */
function findCompose() {
  const answers = ([command, ...args]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0
  if (!answers(['docker', 'info'])) return null
  return [['docker', 'compose'], ['docker-compose']].find((each) => answers([...each, 'version'])) ?? null
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
