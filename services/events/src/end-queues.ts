import { parseArgs } from 'node:util'
import {
  clientTlsOf,
  closeRedis,
  connectRedis,
  createLog,
  parseEnvironment,
  refuseDistrusted,
  setExitCode,
  untilRedisReady,
} from '@tms/service-kit'
import { configSchema } from './config.ts'
import { endAllQueues } from './redis/end-all-queues.ts'

const HELP = `node dist/end-queues.js

Run once in the image of events, while no replica of it runs, after a database was restored from a backup: ends every event
queue in Redis (REDIS_URL, NAMESPACE), so that clients register again rather than continue from a state that no longer
exists. Nothing else in Redis is touched. docs/operating.md, "Restoring a database from a backup".`

/** Longer than connecting to an available Redis takes. */
const CONNECT_MS = 10_000

void run(process.argv.slice(2)).then(setExitCode)

async function run(args: string[]): Promise<number> {
  try {
    const { values } = parseArgs({ args, options: { help: { type: 'boolean' } } })
    if (values.help) console.log(HELP)
    else await endQueues()
    return 0
  } catch (err) {
    console.error(err instanceof Error ? err.message : err)
    return err instanceof Error && 'code' in err && String(err.code).startsWith('ERR_PARSE_ARGS') ? 2 : 1
  }
}

async function endQueues(): Promise<void> {
  const schema = configSchema.pick({
    REDIS_URL: true,
    NAMESPACE: true,
    TLS_CA: true,
    TLS_CERTIFICATE: true,
    TLS_KEY: true,
  })
  const { REDIS_URL, NAMESPACE, ...variables } = parseEnvironment(schema, process.env)
  const tls = clientTlsOf(variables)
  await refuseDistrusted({ REDIS_URL }, tls)
  const redis = connectRedis(REDIS_URL, createLog('end-queues', 'silent'), { tls })
  try {
    await untilRedisReady(redis, CONNECT_MS)
    console.log(`events: every queue has ended, ${await endAllQueues(redis, NAMESPACE)} keys deleted`)
  } finally {
    await closeRedis(redis)
  }
}
