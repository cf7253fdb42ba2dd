import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { explainMissingImage } from './explain-missing-image.ts'
import { findInPath } from './find-binary.ts'
import { type InstanceSettings, loadInstanceSettings, portOf } from './instance-settings.ts'
import {
  type ProvideOptions,
  type ServerHandle,
  type ServerName,
  serverTitles,
  urlVariables,
} from './server.ts'
import { untilServerAnswers } from './until-server-answers.ts'

type Recipe = {
  image: string
  /** Environment variable that names another image. */
  imageVariable: string
  containerPort: number
  dataPath: string
  runArgs: (password: string) => string[]
  command: (password: string) => string[]
  url: (password: string, port: number) => string
}

const recipes: Record<ServerName, Recipe> = {
  postgres: {
    image: 'postgres:17-alpine',
    imageVariable: 'POSTGRES_IMAGE',
    containerPort: 5432,
    dataPath: '/var/lib/postgresql/data',
    runArgs: (password) => [`--env=POSTGRES_PASSWORD=${password}`],
    command: () => ['postgres', '-c', 'max_connections=300', '-c', 'shared_buffers=256MB'],
    url: (password, port) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
  },
  redis: {
    image: 'redis:7-alpine',
    imageVariable: 'REDIS_IMAGE',
    containerPort: 6379,
    dataPath: '/data',
    runArgs: () => [],
    command: (password) => [
      ...'redis-server --appendonly yes --appendfsync everysec'.split(' '),
      ...`--requirepass ${password}`.split(' '),
      '--save',
      '',
    ],
    url: (password, port) => `redis://:${password}@127.0.0.1:${port}/0`,
  },
  rabbitmq: {
    image: 'rabbitmq:4-management-alpine',
    imageVariable: 'RABBITMQ_IMAGE',
    containerPort: 5672,
    dataPath: '/var/lib/rabbitmq',
    // The node's data depend on its host name.
    runArgs: (password) => [
      '--hostname=rabbitmq',
      '--env=RABBITMQ_DEFAULT_USER=tms',
      `--env=RABBITMQ_DEFAULT_PASS=${password}`,
    ],
    command: () => [],
    url: (password, port) => `amqp://tms:${password}@127.0.0.1:${port}`,
  },
}

/** Why no Docker engine can be used; null if one answers. */
export async function findDockerProblem(env: NodeJS.ProcessEnv): Promise<string | null> {
  if (!findInPath(['docker'], env)) return 'it is not installed'
  return docker(['info'], env, 10_000).then(
    () => null,
    (err: Error) => err.message,
  )
}

/** Starts a server in a container; its data are in a named volume, so the container itself can be replaced. */
export async function startContainer(name: ServerName, options: ProvideOptions): Promise<ServerHandle> {
  const { env, dataDir } = options
  const settings = await loadInstanceSettings(dataDir, name, ['main'])
  const recipe = recipes[name]
  const container = `tms-${settings.id}-${name}`
  const url = recipe.url(settings.password, portOf(settings, 'main'))
  const image = env[recipe.imageVariable] ?? recipe.image
  await docker(['image', 'inspect', image], env)
    .catch(() => docker(['pull', image], env))
    .catch((err: Error) => {
      throw new Error(describeMissingImage(name, image, err.message), { cause: err })
    })

  async function start(): Promise<void> {
    // Also removes what a crashed start left running.
    await docker(['rm', '--force', container], env).catch(() => undefined)
    await docker(
      ['run', '--detach', '--name', container, ...runArguments(recipe, settings, container, image)],
      env,
    )
    await untilServerAnswers(name, url, {
      hint: ` in container ${container} (see: docker logs ${container})`,
      signal: options.signal,
    })
  }
  const stop = () => docker(['stop', '--time', '60', container], env)

  try {
    await start()
  } catch (err) {
    await stop().catch(() => undefined)
    throw err
  }
  return { url, pid: null, start, stop, kill: () => docker(['kill', container], env) }
}

function describeMissingImage(name: ServerName, image: string, reason: string): string {
  const title = serverTitles[name]
  return explainMissingImage({
    ...{ title, image, imageVariable: recipes[name].imageVariable, reason },
    otherwise: `go without Docker: install ${title}, or set ${urlVariables[name]}`,
  })
}

function runArguments(
  recipe: Recipe,
  settings: InstanceSettings,
  container: string,
  image: string,
): string[] {
  const { password } = settings
  return [
    `--publish=127.0.0.1:${portOf(settings, 'main')}:${recipe.containerPort}`,
    `--volume=${container}:${recipe.dataPath}`,
    ...recipe.runArgs(password),
    image,
    ...recipe.command(password),
  ]
}

async function docker(args: string[], env: NodeJS.ProcessEnv, timeoutMs = 600_000): Promise<void> {
  const child = spawn('docker', args, {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    timeout: timeoutMs,
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`docker ${args[0]} failed: ${errors.trim()}`)
}
