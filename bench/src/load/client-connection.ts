import { Client } from 'undici'

/** Longer than any answer takes to come or to go on. */
const TIMEOUT_MS = 300_000
/** As of clients: see `LIKE_CLIENTS`. */
const PROBE_MS = 45_000

/** What an answer is read by: once `onEnd` or `onError` is called, nothing more comes. What one of these throws ends the process. */
export interface AnswerReader {
  onStart?(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void
  onData(chunk: Buffer): void
  onEnd(): void
  onError(err: Error): void
}

/**
 * The connection of one client, opened when it is needed. A request takes half the CPU that it takes with `node:http`: the load generator shares
 * the machine with what it measures, and an answer that waits until it is read here seems to come late.
 */
export class ClientConnection {
  readonly #client: Client

  constructor(port: number) {
    this.#client = new Client(`http://127.0.0.1:${port}`, {
      keepAliveTimeout: TIMEOUT_MS,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      connect: { timeout: TIMEOUT_MS, keepAliveInitialDelay: PROBE_MS },
    })
  }

  get(path: string, headers: Readonly<Record<string, string>>, reader: AnswerReader): void {
    this.#client.dispatch(
      { method: 'GET', path, headers },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, status, answerHeaders) =>
          throwing(() => reader.onStart?.(status, answerHeaders)),
        onResponseData: (_controller, chunk) => throwing(() => reader.onData(chunk)),
        onResponseEnd: () => throwing(() => reader.onEnd()),
        onResponseError: (_controller, err) => throwing(() => reader.onError(err)),
      },
    )
  }

  /** Ends the connection, and with an error the answer that it waits for. */
  destroy(): void {
    void this.#client.destroy()
  }
}

/** The client would take what a reader throws for a failure of the request. */
function throwing(act: () => void): void {
  try {
    act()
  } catch (err) {
    setImmediate(() => {
      throw err
    })
  }
}
