// What the trials need: Compose, under a project of its own, and what it runs.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from './trial-client.mjs'
import { reasonOf } from './trial-steps.mjs'

const here = dirname(fileURLToPath(import.meta.url))
/** Migrations and the slowest start on a busy machine. */
const PATIENCE_MS = 180_000
const POLL_MS = 500

/**
 * Prepares a project with passwords and a port of its own; null where no Docker with Compose answers. `files` are those of this
 * folder that it consists of, `variables` gives what they read of the port, and `settings` are a further file's text.
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

  /** What Compose printed; throws when it fails, unless it may. A version that is null is what the file of variables says. */
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
    /** Starts everything and waits until clients are answered and the first organization is there. */
    start: async () => {
      compose(['up', '--detach'])
      await until(async () => {
        const answer = await send('GET', '/api/v1/server_settings', { to: rootHost }).catch(() => null)
        // Printed last, whether the organization is new or not.
        return (
          answer?.status === 200 &&
          compose(['logs', 'first-organization'], { mayFail: true }).includes('Address ')
        )
      }, 'everything to start')
    },
    /** What a command for operators found. */
    manage: (...args) => JSON.parse(compose(['run', '--rm', '-T', 'manage', ...args, '--json'])),
    /** Runs documented commands in this folder, as if the file of variables was here; the backups that they make go with the trial. */
    runDocumented: async (commands) => {
      const script = `set -a; . "$ENV_FILE"; set +a; ${commands.replaceAll('docker compose', program.join(' '))}`
      const variables = { BACKUPS: join(folder, 'backups'), TMS_VERSION: env.TMS_VERSION ?? 'local' }
      await runBeside('sh', ['-c', `cd '${here}'\n${script}`], { env: { ...env, ...variables } })
    },
    /** What a shell in a new container of an image prints, line by line. */
    inImage: (image, shell) =>
      run(env, ['docker', 'run', '--rm', '--entrypoint=sh', tagOf(image), '-c', shell])
        .trim()
        .split('\n'),
    /** What an image says of itself. */
    inspect: (image) => JSON.parse(run(env, ['docker', 'image', 'inspect', tagOf(image)]))[0],
    /** The environment of a container. */
    variablesOf: (id) => JSON.parse(run(env, ['docker', 'container', 'inspect', id]))[0].Config.Env,
    /** Leaves nothing but the images. */
    remove: () => {
      compose(['down', '--volumes', '--timeout=5'], { mayFail: true })
      rmSync(folder, { recursive: true })
    },
  }
}

/** Throws unless something is so. */
export function expect(isSo, otherwise) {
  if (!isSo) throw new Error(otherwise)
}

/** Waits until something is so. Throws after minutes. */
export async function until(isSo, what) {
  for (const deadline = Date.now() + PATIENCE_MS; !(await isSo()); await sleep(POLL_MS)) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`)
  }
}

/** Runs a program that prints for itself, while everything else goes on. Rejects when it fails. */
export async function runBeside(command, args, options = {}) {
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
    const said = ended.error ? reasonOf(ended.error) : String(ended.stderr).slice(-4_000)
    throw new Error(`${[command, ...args].join(' ')} ended with ${ended.status}: ${said}`)
  }
  return ended.stdout ?? ''
}

/** Compose as a plug-in of Docker, or the program of its own that it once was. */
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
