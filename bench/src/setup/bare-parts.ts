import { type BareServers, HELLO_PATH } from '../bare/bare-servers.ts'
import type { Call } from '../load/http-call.ts'
import { type Child, startChild } from '../processes/child-process.ts'

/** Bare servers in two processes: a server and a proxy before it. */
export interface BareParts {
  readonly origin: Child<BareServers>
  readonly proxy: Child<BareServers>
  readonly helloCall: Call
  readonly expressCall: Call
  /** To the bare server, through the bare proxy. */
  readonly proxiedCall: Call
  stop(): void
}

export async function startBareParts(signal: AbortSignal): Promise<BareParts> {
  const origin = startChild<BareServers>('bare/main')
  const proxy = startChild<BareServers>('bare/main')
  const stop = () => {
    origin.stop()
    proxy.stop()
  }
  signal.addEventListener('abort', stop)
  try {
    const helloPort = await origin.call('startHello')
    const expressPort = await origin.call('startExpress')
    const proxyPort = await proxy.call('startProxy', { toPort: helloPort })
    const callTo = (port: number): Call => ({ port, method: 'GET', path: HELLO_PATH, headers: {} })
    return {
      origin,
      proxy,
      helloCall: callTo(helloPort),
      expressCall: callTo(expressPort),
      proxiedCall: callTo(proxyPort),
      stop,
    }
  } catch (err) {
    stop()
    throw err
  }
}
