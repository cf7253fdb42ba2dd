import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createConcurrencyLimit } from '@tms/service-kit'

/** OWASP's minimum for argon2id, the default algorithm: memory in KiB, passes, lanes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Leaves one core for everything else, and one of libuv's four threads for files and DNS. */
const MAX_AT_ONCE = Math.max(1, Math.min(3, availableParallelism() - 1))
/** Two or three seconds of work; further requests are refused. */
const MAX_WAITING = 100

/**
 * Hashes and verifies passwords on libuv's threads, off the event loop. Both reject with SERVICE_UNAVAILABLE if too
 * many wait.
 */
export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes equally long without a hash, so that the time doesn't reveal whether an account exists. */
  matches(passwordHash: string | null, password: string): Promise<boolean>
}

export function createPasswords(): Passwords {
  const limit = createConcurrencyLimit({
    maxAtOnce: MAX_AT_ONCE,
    maxWaiting: MAX_WAITING,
    refusal: 'Too many are signing in at once; try again shortly',
  })
  const makeHash = async (password: string | Buffer) => (await import('@node-rs/argon2')).hash(password, COST)
  let dummyHash: Promise<string> | null = null
  return {
    hash: (password) => limit(() => makeHash(password)),
    matches: async (passwordHash, password) => {
      const { verify } = await import('@node-rs/argon2')
      // Created with the first password, whether or not that one needs it.
      const dummy = await (dummyHash ??= makeHash(randomBytes(32)))
      const isRight = await limit(() => verify(passwordHash ?? dummy, password))
      return isRight && passwordHash !== null
    },
  }
}
