import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createConcurrencyLimit } from '@tms/service-kit'
import type { MailToRead, ReadReply } from './read-reply.ts'
import type { ReadMail } from './reply-thread.ts'

/** Reads mails, of which anyone may send some whose reading would take any time and memory. */
export interface ReplyReader {
  /** Null if it isn't a mail, or if reading it takes too long or too much memory. */
  read(mail: MailToRead): Promise<ReadReply | null>
}

/** More than a mail of the greatest size takes. Without a limit a thread takes what the process has. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }
/** A mail of the greatest size takes 2 s, and longer on a busy processor. */
const TIMEOUT_MS = 15_000
/** One at a time, so that hostile mails can't take more than a core. */
const READ_LIMIT = { maxAtOnce: 1, maxWaiting: 20, refusal: 'Too many mails at once' }

/** Reads each mail in a thread of its own: few come, and an idle thread would cost memory. */
export function createReplyReader({
  program = new URL('./reply-thread.js', import.meta.url),
  timeoutMs = TIMEOUT_MS,
} = {}): ReplyReader {
  const takeTurn = createConcurrencyLimit(READ_LIMIT)
  const start = () =>
    // Node options of the process aren't meant for the thread.
    new Worker(program, { execArgv: [], resourceLimits: RESOURCE_LIMITS })
  return { read: (mail) => takeTurn(() => readIn(start(), mail, timeoutMs)) }
}

async function readIn(thread: Worker, { raw, ...more }: MailToRead, timeoutMs: number): Promise<ReadMail> {
  const timeout = AbortSignal.timeout(timeoutMs)
  // It may run out of memory once its time is over: unheard, that error would end the process.
  thread.on('error', () => {})
  try {
    // A copy, since a small mail shares its memory with others.
    const bytes = new Uint8Array(raw)
    thread.postMessage({ ...more, raw: bytes } satisfies MailToRead, [bytes.buffer])
    const [read] = (await once(thread, 'message', { signal: timeout })) as [ReadMail]
    return read
  } catch (err) {
    if (timeout.aborted || isOutOfMemory(err)) return null
    throw err
  } finally {
    await thread.terminate()
  }
}

function isOutOfMemory(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
