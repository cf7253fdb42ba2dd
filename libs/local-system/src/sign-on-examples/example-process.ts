import { join } from 'node:path'
import { isPortFree } from '../process/free-port.ts'
import { openLog, readLastLines } from '../process/log-file.ts'
import { describeExit, ManagedProcess } from '../process/managed-process.ts'
import { waitUntil } from '../process/wait-until.ts'
import type { ExampleContext, ExampleProcess } from './example.ts'

const READY_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 10_000
const LAST_LINES = 20

export type ExampleProcessSpec = {
  /** Of its files. */
  name: string
  title: string
  command: string
  args: string[]
  /** On which it listens at 127.0.0.1. */
  port: number
}

/** Starts a server of an example and waits until it accepts connections. Throws with the end of its log if it doesn't. */
export async function startExampleProcess(
  spec: ExampleProcessSpec,
  context: ExampleContext,
): Promise<ExampleProcess> {
  const { name, title, command, args, port } = spec
  const { env, dataDir, logDir, signal } = context
  const logPath = join(logDir, `${name}.log`)
  const lastLines = () => readLastLines(logPath, LAST_LINES)
  const server = new ManagedProcess({
    ...{ command, args, env, cwd: dataDir },
    pidFile: join(dataDir, `${name}.pid`),
    output: openLog(logPath),
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    onUnexpectedExit: (status) => {
      if (isReady) context.onUnexpectedExit(own, describeExit(status), lastLines())
    },
  })
  let isReady = false
  const own: ExampleProcess = {
    title,
    async start() {
      isReady = false
      await server.start()
      const what = `${title} to answer on port ${port}`
      await waitUntil(async () => server.pid === null || !(await isPortFree(port)), {
        ...{ what, timeoutMs: READY_TIMEOUT_MS, signal },
      })
      if (server.pid === null)
        throw new Error([`${title} did not start:`, ...lastLines(), `(${logPath})`].join('\n'))
      isReady = true
    },
    stop: () => server.stop(),
    kill: () => server.signal('SIGKILL'),
  }
  try {
    await own.start()
  } catch (err) {
    await server.stop()
    throw err
  }
  return own
}
