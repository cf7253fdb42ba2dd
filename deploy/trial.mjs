// What the trials need: steps, Compose, under a project of its own, and the API of what it runs.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
/** Migrations and the slowest start on a busy machine. */
const PATIENCE_MS = 180_000
const POLL_MS = 500
/** What every uploaded file is: a picture of one point. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

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

/**
 * The API at an address, of the organization that `host` names unless a request says otherwise: `send` gives what was answered,
 * `call` what an endpoint gives, and throws for a refusal. With `isFresh` each request has a connection of its own.
 */
export function createClient({ address = '127.0.0.1', port, host, isFresh = false }) {
  /** By `node:http`: the organization is in the Host header, which `fetch` doesn't let one set. */
  const send = async (method, path, { auth, form, file, to = host } = {}) => {
    const body = file ? new FormData() : form ? new URLSearchParams(form) : null
    if (file) body.append('file', new Blob([PICTURE], { type: 'image/png' }), file)
    const encoded = new Response(body)
    const bytes = Buffer.from(await encoded.arrayBuffer())
    const headers = { host: to, ...(auth && { authorization: auth }) }
    if (body)
      Object.assign(headers, {
        'content-type': encoded.headers.get('content-type'),
        'content-length': bytes.length,
      })
    const options = { host: address, port, method, path, headers, ...(isFresh && { agent: false }) }
    return new Promise((resolve, reject) => {
      const sent = request(options, (answer) => {
        const chunks = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () => resolve({ status: answer.statusCode, body: Buffer.concat(chunks) }))
        answer.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(bytes)
    })
  }
  const call = async (method, path, options) => {
    const { status, body } = await send(method, `/api/v1${path}`, options)
    expect(status === 200, `${method} ${path} answered ${status}: ${body.toString()}`)
    return JSON.parse(body.toString())
  }
  return { send, call }
}

/** Steps of a trial, counted and told one by one. */
export function createSteps() {
  let [passed, failed] = [0, 0]
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      isInterrupted = true
    })
  }
  return {
    /** What the work gives. Throws with the step's name when it fails, or when the trial was interrupted before it. */
    step: async (name, work) => {
      if (isInterrupted) throw new Error('interrupted')
      const startedAt = Date.now()
      try {
        const result = await work()
        passed += 1
        console.log(`✓ ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
        return result
      } catch (err) {
        throw new Error(`✕ ${name}: ${reasonOf(err)}`)
      }
    },
    fail: (err) => {
      failed += 1
      console.error(reasonOf(err))
    },
    /** The last line, and the exit code. */
    tell: () => {
      console.log(`${passed} passed, ${failed} failed`)
      process.exitCode = failed === 0 ? 0 : 1
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

export const reasonOf = (err) => (err instanceof Error ? err.message : String(err))

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
