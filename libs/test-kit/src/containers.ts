import { createServer } from 'node:net'
import type { Server, ServerName, Servers } from '@tms/local-system'
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers'

const PASSWORD = 'test'

/** How each server runs in a container. Images are the official ones; environment variables name others. */
const recipes: Record<
  ServerName,
  {
    image: string
    imageVariable: string
    port: number
    environment: Record<string, string>
    command: string[]
    ready: RegExp
    times: number
    url: (port: number) => string
  }
> = {
  postgres: {
    image: 'postgres:17-alpine',
    imageVariable: 'POSTGRES_IMAGE',
    port: 5432,
    environment: { POSTGRES_PASSWORD: PASSWORD },
    command: ['postgres', '-c', 'max_connections=300'],
    ready: /database system is ready to accept connections/,
    // The first time it only runs to be set up.
    times: 2,
    url: (port) => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
  },
  redis: {
    image: 'redis:7-alpine',
    imageVariable: 'REDIS_IMAGE',
    port: 6379,
    environment: {},
    command: ['redis-server', '--appendonly', 'yes', '--appendfsync', 'everysec'],
    ready: /Ready to accept connections/,
    times: 1,
    url: (port) => `redis://127.0.0.1:${port}`,
  },
  rabbitmq: {
    image: 'rabbitmq:4-management-alpine',
    imageVariable: 'RABBITMQ_IMAGE',
    port: 5672,
    environment: { RABBITMQ_DEFAULT_USER: 'test', RABBITMQ_DEFAULT_PASS: PASSWORD },
    command: [],
    ready: /Server startup complete/,
    times: 1,
    url: (port) => `amqp://test:${PASSWORD}@127.0.0.1:${port}`,
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

/** Starts the three servers in containers, each on a fixed port of this machine, so that it keeps it over a restart. */
export async function startContainers(env: NodeJS.ProcessEnv): Promise<Servers> {
  const names = ['postgres', 'redis', 'rabbitmq'] as const
  const [postgres, redis, rabbitmq] = await Promise.all(names.map((name) => startOne(name, env)))
  if (!postgres || !redis || !rabbitmq) throw new Error('a container is missing')
  const all = [rabbitmq, redis, postgres]
  return {
    postgres,
    redis,
    rabbitmq,
    stop: async () => {
      for (const server of all) await server.remove()
    },
    kill: async () => {
      for (const server of all) await server.remove()
    },
  }
}

async function startOne(
  name: ServerName,
  env: NodeJS.ProcessEnv,
): Promise<Server & { remove(): Promise<void> }> {
  const recipe = recipes[name]
  const port = await freePort()
  const container: StartedTestContainer = await new GenericContainer(
    env[recipe.imageVariable] ?? recipe.image,
  )
    .withExposedPorts({ container: recipe.port, host: port })
    .withEnvironment(recipe.environment)
    .withCommand(recipe.command)
    .withWaitStrategy(Wait.forLogMessage(recipe.ready, recipe.times))
    .withStartupTimeout(120_000)
    .start()
  const runtime = (await getContainerRuntimeClient()).container.getById(container.getId())
  return {
    name,
    url: recipe.url(port),
    source: 'docker',
    pid: null,
    start: async () => {
      await runtime.start()
      await untilListening(port)
    },
    stop: async () => {
      await runtime.stop({ t: 20 })
    },
    kill: async () => {
      await runtime.kill({ signal: 'SIGKILL' })
    },
    remove: async () => {
      await container.stop({ timeout: 5_000, remove: true, removeVolumes: true }).catch(() => {})
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** The port answers; clients try again by themselves until the server behind it does. */
async function untilListening(port: number): Promise<void> {
  const { connect } = await import('node:net')
  for (let attempt = 0; attempt < 300; attempt++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`nothing listens on port ${port}`)
}
