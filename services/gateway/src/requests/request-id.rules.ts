import { randomUUID } from 'node:crypto'

const ACCEPTED = /^[A-Za-z0-9-]{1,64}$/

/** The client's own request ID if it is harmless in headers and logs, otherwise a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTED.test(header) ? header : randomUUID()
}
