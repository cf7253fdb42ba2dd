import { type AgentOptions, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ClientTls } from './settings.ts'

/** Connections to `http:` and `https:` addresses alike. */
export interface Agents {
  of(isTls: boolean): HttpAgent
  /**
   * Calls `act` once a request can go over a socket that one of these has given it: at once where the socket was connected
   * already, and says whether it was. Node's `reusedSocket` tells only of those that were idle, not of one that a request
   * which waited was handed by another.
   */
  whenConnected(socket: Socket, isTls: boolean, act: () => void): boolean
  destroy(): void
}

/**
 * Idle connections are ended after this, by whoever asks. Too small connects anew what comes back; too large, and a peer that
 * leaves, or a proxy between, ends one just as it is used again, when nobody knows whether the request was taken.
 */
export const IDLE_CONNECTION_MS = 4_000
/**
 * A connection on which nothing came for so long is probed; a machine that is gone without a word is noticed 10 s later. Node's
 * own default is a second, which 20,000 held polls turn into 20,000 probes per second, and as many answers.
 */
export const PROBE_AFTER_MS = 15_000

/** Has connections over TLS probed from the first request on, as Node does with others; these only once they were used. */
class ProbingAgent extends HttpsAgent {
  override createConnection(...args: Parameters<HttpsAgent['createConnection']>): Duplex | null | undefined {
    const socket = super.createConnection(...args)
    if (socket instanceof Socket) socket.once('connect', () => socket.setKeepAlive(true, PROBE_AFTER_MS))
    return socket
  }
}

/**
 * Makes what connects as `tls` says, where an address asks for it. Requests over them need `timeout: 0`, or what is said of
 * idle connections would hold for those in use.
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

/** What sends a request, by the scheme; the answer is the same. */
export const requestBy = (isTls: boolean): typeof httpRequest => (isTls ? httpsRequest : httpRequest)

/** What a socket says once a request may go. */
export const connectedEvent = (isTls: boolean): 'secureConnect' | 'connect' =>
  isTls ? 'secureConnect' : 'connect'

/** Asks for a page, and tells the status of the answer. Rejects when there is none in time. */
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
