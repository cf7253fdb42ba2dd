// What try.mjs needs: Compose, under a project of its own, and the API of what it runs.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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

/** Prepares a project with passwords and a port of its own; null where no Docker with Compose answers. */
export async function createTrial() {
  const program = findCompose()
  if (!program) return null
  const folder = mkdtempSync(join(tmpdir(), 'tms-try-'))
  const port = await findFreePort()
  const rootHost = `localhost:${port}`
  const host = `sales.${rootHost}`
  const env = {
    ...process.env,
    COMPOSE_PROJECT_NAME: `tms-try-${process.pid}`,
    GATEWAY_PORT: String(port),
    EXTERNAL_HOST: rootHost,
  }
  copyFileSync(join(here, 'make-env.sh'), join(folder, 'make-env.sh'))
  run(env, ['sh', join(folder, 'make-env.sh')])
  const files = ['--file', join(here, 'compose.yaml'), '--env-file', join(folder, '.env')]

  /** What Compose printed; throws when it fails, unless it may. */
  const compose = (args, options) =>
    run(env, [...program, ...files, '--project-directory', here, ...args], options)

  /** By `node:http`: the organization is in the Host header, which `fetch` doesn't let one set. */
  const send = (method, path, { auth, form, file, to = host } = {}) => {
    const body = file ? new FormData() : form ? new URLSearchParams(form) : null
    if (file) body.append('file', new Blob([PICTURE], { type: 'image/png' }), file)
    const encoded = new Response(body)
    const headers = { host: to, ...(auth && { authorization: auth }) }
    if (body) headers['content-type'] = encoded.headers.get('content-type')
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        const chunks = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () => resolve({ status: answer.statusCode, body: Buffer.concat(chunks) }))
        answer.on('error', reject)
      })
      sent.on('error', reject)
      encoded.arrayBuffer().then((bytes) => sent.end(Buffer.from(bytes)), reject)
    })
  }

  return {
    rootHost,
    compose,
    send,
    /** The answer of an endpoint of the API to the second organization; throws for a refusal. */
    call: async (method, path, options) => {
      const { status, body } = await send(method, `/api/v1${path}`, options)
      expect(status === 200, `${method} ${path} answered ${status}: ${body.toString()}`)
      return JSON.parse(body.toString())
    },
    /** What a command for operators found. */
    manage: (...args) => JSON.parse(compose(['run', '--rm', '-T', 'manage', ...args, '--json'])),
    /** What a shell in a new container of an image prints, line by line. */
    inImage: (image, shell) => {
      const tag = `tms-${image}:${env.TMS_VERSION ?? 'local'}`
      return run(env, ['docker', 'run', '--rm', '--entrypoint=sh', tag, '-c', shell]).trim().split('\n')
    },
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

export const reasonOf = (err) => (err instanceof Error ? err.message : String(err))

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
