import {
  explainMissingImage,
  pickFreePort,
  type Server,
  type ServerName,
  type Servers,
  serverTitles,
  untilServerAnswers,
} from '@tms/local-system'
import { GenericContainer, getContainerRuntimeClient, getReaper, ImageName } from 'testcontainers'

const PASSWORD = 'test'
const STOP_TIMEOUT_SECONDS = 30

type Recipe = {
  image: string
  /** Environment variable that names another image. */
  imageVariable: string
  port: number
  environment: Record<string, string>
  command: string[]
  url: (address: string) => string
}

/** How each server runs in a container. The environment variables and commands are those of the official images. */
const recipes: Record<ServerName, Recipe> = {
  postgres: {
    image: 'postgres:17-alpine',
    imageVariable: 'POSTGRES_IMAGE',
    port: 5432,
    environment: { POSTGRES_PASSWORD: PASSWORD },
    command: ['postgres', '-c', 'max_connections=300'],
    url: (address) => `postgres://postgres:${PASSWORD}@${address}/postgres`,
  },
  redis: {
    image: 'redis:7-alpine',
    imageVariable: 'REDIS_IMAGE',
    port: 6379,
    environment: {},
    command: ['redis-server', '--appendonly', 'yes', '--appendfsync', 'everysec'],
    url: (address) => `redis://${address}`,
  },
  rabbitmq: {
    image: 'rabbitmq:4-management-alpine',
    imageVariable: 'RABBITMQ_IMAGE',
    port: 5672,
    environment: { RABBITMQ_DEFAULT_USER: 'test', RABBITMQ_DEFAULT_PASS: PASSWORD },
    command: [],
    url: (address) => `amqp://test:${PASSWORD}@${address}`,
  },
}

/** Whether a container engine answers. */
export async function hasContainerEngine(): Promise<boolean> {
  try {
    await getContainerRuntimeClient()
    return true
  } catch {
    return false
  }
}

/**
 * Starts the three servers in containers, each on a fixed port that stays the same over a restart. `stop` and `kill`
 * remove them with their data.
 */
export async function startContainers(env: NodeJS.ProcessEnv): Promise<Servers> {
  // The reaper is Testcontainers' helper, which removes the containers of a killed test. If its image isn't
  // available, containers start without it.
  const engine = await getContainerRuntimeClient().catch((err: Error) => {
    const remedy = 'start Docker, or set TEST_SERVERS=private, which runs installed servers'
    throw new Error(`No container engine answers: ${remedy} (${err.message})`, { cause: err })
  })
  const hasReaper = await getReaper(engine).then(
    () => true,
    () => false,
  )
  const names = ['postgres', 'redis', 'rabbitmq'] as const
  const started = await Promise.allSettled(names.map((name) => startOne(name, env, hasReaper)))
  const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const removeAll = async () => {
    await Promise.all(servers.map((server) => server.remove()))
  }
  const failure = started.find((result) => result.status === 'rejected')
  if (failure) {
    await removeAll()
    throw failure.reason
  }
  const [postgres, redis, rabbitmq] = servers as [Container, Container, Container]
  return { postgres, redis, rabbitmq, stop: removeAll, kill: removeAll }
}

type Container = Server & { remove(): Promise<void> }

async function startOne(name: ServerName, env: NodeJS.ProcessEnv, hasReaper: boolean): Promise<Container> {
  const recipe = recipes[name]
  const port = await pickFreePort()
  const image = env[recipe.imageVariable] ?? recipe.image
  const container = await new GenericContainer(image)
    .withExposedPorts({ container: recipe.port, host: port })
    .withEnvironment(recipe.environment)
    .withCommand(recipe.command)
    .withAutoCleanup(hasReaper)
    .start()
    .catch(async (err: Error) => {
      throw await explainFailure(err, name, image, env)
    })
  const remove = async () => {
    await container.stop({ timeout: 0, remove: true, removeVolumes: true })
  }
  const url = recipe.url(`${container.getHost()}:${port}`)
  const runtime = (await getContainerRuntimeClient()).container.getById(container.getId())
  try {
    await untilServerAnswers(name, url)
  } catch (err) {
    await remove()
    throw err
  }
  return {
    name,
    url,
    source: 'docker',
    pid: null,
    nodes: [],
    start: async () => {
      await runtime.start()
      await untilServerAnswers(name, url)
    },
    stop: async () => {
      await runtime.stop({ t: STOP_TIMEOUT_SECONDS })
    },
    kill: async () => {
      await runtime.kill({ signal: 'SIGKILL' })
    },
    remove,
  }
}

/** The original failure, or an explanation if the image is missing. */
async function explainFailure(
  err: Error,
  name: ServerName,
  image: string,
  env: NodeJS.ProcessEnv,
): Promise<Error> {
  const { image: images } = await getContainerRuntimeClient()
  if (await images.exists(ImageName.fromString(image))) return err
  const explanation = explainMissingImage({
    ...{ title: serverTitles[name], image, imageVariable: recipes[name].imageVariable },
    reason: err.message.trim(),
    otherwise: 'set TEST_SERVERS=private, which runs installed servers',
    namePrefix: env['TESTCONTAINERS_HUB_IMAGE_NAME_PREFIX'],
  })
  return new Error(explanation, { cause: err })
}
