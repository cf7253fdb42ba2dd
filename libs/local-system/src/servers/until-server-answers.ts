import { waitUntil } from '../process/wait-until.ts'
import { probes } from './probes.ts'
import { type ServerName, serverTitles } from './server.ts'

/** RabbitMQ creating its data on a busy machine is the slowest case. */
const READY_TIMEOUT_MS = 120_000

/** Waits until a server at this URL, which was just started, answers. Throws after two minutes. */
export async function untilServerAnswers(
  name: ServerName,
  url: string,
  { hint = '', signal }: { hint?: string; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  let reason: string | null = 'not asked yet'
  await waitUntil(async () => (reason = await probes[name](url)) === null, {
    what: `${serverTitles[name]} to answer${hint}`,
    timeoutMs: READY_TIMEOUT_MS,
    signal,
  }).catch((err: Error) => {
    throw new Error(`${err.message}: ${reason}`, { cause: err })
  })
}
