import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import type { Coding } from './compression.rules.ts'

/** Of each coding, with up to a third of a MiB each. */
const MAX_AT_ONCE = 64
/** The fastest: records of users become 20 times smaller, with some milliseconds of CPU for each MB. */
const LEVEL = 1
/** Bytes inflated at a time. With the usual 16 KiB, 18 MB take twice the CPU; with more, stalled answers take more memory. */
const INFLATED_BYTES = 64 * 1024

/** Compresses and inflates bodies of answers as they come, and at the pace of their clients. */
export class AnswerCoding {
  readonly #atOnce: Record<Coding, number> = { gzip: 0, gunzip: 0 }

  /** Whether a further answer should be compressed or inflated now. */
  hasSpaceFor(coding: Coding): boolean {
    return this.#atOnce[coding] < MAX_AT_ONCE
  }

  /**
   * Returns where to write the body of an answer whose headers have been written. `onBytes` is called with how many go to the
   * client, `onError` if the body can't be inflated; the rest of the answer is up to that.
   */
  begin(
    response: ServerResponse,
    coding: Coding,
    { onBytes, onError }: { onBytes(count: number): void; onError(err: Error): void },
  ): Writable {
    this.#atOnce[coding]++
    const coder =
      coding === 'gzip' ? createGzip({ level: LEVEL }) : createGunzip({ chunkSize: INFLATED_BYTES })
    coder.on('data', (part: Buffer) => onBytes(part.length))
    coder.on('error', onError)
    coder.pipe(response)
    response.once('close', () => {
      this.#atOnce[coding]--
      coder.destroy()
    })
    return coder
  }
}
