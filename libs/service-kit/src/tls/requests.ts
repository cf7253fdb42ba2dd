import { type AgentOptions, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ClientTls } from './settings.ts'

/** Agents for `http:` and `https:` addresses. */
export interface Agents {
  of(isTls: boolean): HttpAgent
  /**
   * Calls `act` once a request can be sent over its socket: at once if the socket was already connected, and returns
   * whether it was. Node's `reusedSocket` is true only for sockets that were idle, not for one that a finished
   * request handed to a waiting one.
   */
  whenConnected(socket: Socket, isTls: boolean, act: () => void): boolean
  destroy(): void
}

/**
 * The client closes idle connections after this. Too small reconnects too often. If it is too large, a peer that
 * stops, or a proxy, may close a connection just as it is used again, when nobody knows whether the request was
 * accepted.
 */
export const IDLE_CONNECTION_MS = 4_000
/**
 * An idle connection is probed after this; a lost machine is noticed 10 s later. Node's own default is a second, which
 * 20,000 pending polls turn into 20,000 probes per second, and as many answers.
 */
export const PROBE_AFTER_MS = 15_000

/**
 * Enables TCP probes on TLS connections from the first request on, as Node does for plain ones; Node enables them for
 * TLS only after the first use.
 */
class ProbingAgent extends HttpsAgent {
  override createConnection(...args: Parameters<HttpsAgent['createConnection']>): Duplex | null | undefined {
    const socket = super.createConnection(...args)
    if (socket instanceof Socket) socket.once('connect', () => socket.setKeepAlive(true, PROBE_AFTER_MS))
    return socket
  }
}

/**
 * Creates the agents. Requests over them need `timeout: 0`, otherwise the timeout for idle connections would apply to
 * those in use.
 */
export function createAgents(options: AgentOptions, tls: ClientTls): Agents {
  const common = { ...options, timeout: IDLE_CONNECTION_MS, keepAliveMsecs: PROBE_AFTER_MS }
  const clear = new HttpAgent(common)
  const secure = new ProbingAgent({ ...common, ...tls })
  const connected = new WeakSet<Socket>()
  return {
    of: (isTls) => (isTls ? secure : clear),
    whenConnected: (socket, isTls, act) => {
      const isConnected = connected.has(socket)
      if (isConnected) act()
      else {
        socket.once(connectedEvent(isTls), () => {
          connected.add(socket)
          act()
        })
      }
      return isConnected
    },
    destroy: () => {
      clear.destroy()
      secure.destroy()
    },
  }
}

export const isHttps = (url: string): boolean => url.startsWith('https:')

/** The function that sends a request, by the scheme; the answer has the same type. */
export const requestBy = (isTls: boolean): typeof httpRequest => (isTls ? httpsRequest : httpRequest)

/** The event of a socket that is ready for a request. */
export const connectedEvent = (isTls: boolean): 'secureConnect' | 'connect' =>
  isTls ? 'secureConnect' : 'connect'

/** Requests a page and returns the status of the answer. Rejects if there is none in time. */
export function requestStatus(url: string, tls: ClientTls, timeoutMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const request = requestBy(isHttps(url))(url, { agent: false, signal, ...(isHttps(url) ? tls : {}) })
    request.once('error', reject)
    request.once('response', (answer) => {
      answer.on('error', () => {}).destroy()
      resolve(answer.statusCode ?? 0)
    })
    request.end()
  })
}
