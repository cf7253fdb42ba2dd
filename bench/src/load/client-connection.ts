import { Client } from 'undici'

/** Longer than any answer takes to come or to go on. */
const TIMEOUT_MS = 300_000

/** What an answer is read by: once `onEnd` or `onError` is called, nothing more comes. */
export interface AnswerReader {
  onStart?(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void
  onData(chunk: Buffer): void
  onEnd(): void
  onError(err: Error): void
}

/**
 * The connection of one client, opened when it is needed. Its requests cost half of those of `node:http`: the load generator shares the
 * machine with what it measures, and what waits to be read here would count as the time that it took to come.
 */
export class ClientConnection {
  readonly #client: Client

  constructor(port: number) {
    this.#client = new Client(`http://127.0.0.1:${port}`, {
      keepAliveTimeout: TIMEOUT_MS,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    })
  }

  get(path: string, headers: Readonly<Record<string, string>>, reader: AnswerReader): void {
    this.#client.dispatch(
      { method: 'GET', path, headers },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, status, answerHeaders) => reader.onStart?.(status, answerHeaders),
        onResponseData: (_controller, chunk) => reader.onData(chunk),
        onResponseEnd: () => reader.onEnd(),
        onResponseError: (_controller, err) => reader.onError(err),
      },
    )
  }

  /** Ends the connection, and with an error the answer that it waits for. */
  destroy(): void {
    void this.#client.destroy()
  }
}
