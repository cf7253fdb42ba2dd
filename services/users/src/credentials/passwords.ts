import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createConcurrencyLimit } from '@tms/service-kit'

/** At least what OWASP advises for argon2id (the algorithm by default): memory in KiB, passes, lanes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** One core stays for everything else, and of libuv's four threads one for files and names. */
const MAX_AT_ONCE = Math.max(1, Math.min(3, availableParallelism() - 1))
/** Two or three seconds of work: who would wait longer is told to come again. */
const MAX_WAITING = 100

/**
 * Makes and checks password hashes on libuv's threads, so the event loop goes on meanwhile. Both reject with
 * SERVICE_UNAVAILABLE when too many wait.
 */
export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Whether the password belongs to the hash. Takes the same time when there is no hash, so that nobody learns
   * from the time whether an account exists.
   */
  matches(passwordHash: string | null, password: string): Promise<boolean>
}

export function createPasswords(): Passwords {
  const turns = createConcurrencyLimit({
    maxAtOnce: MAX_AT_ONCE,
    maxWaiting: MAX_WAITING,
    refusal: 'Too many are signing in at once; try again shortly',
  })
  const makeHash = async (password: string | Buffer) => (await import('@node-rs/argon2')).hash(password, COST)
  let hashOfNobody: Promise<string> | null = null
  return {
    hash: (password) => turns(() => makeHash(password)),
    matches: async (passwordHash, password) => {
      const { verify } = await import('@node-rs/argon2')
      // Made with the first password, whether or not that one needs it.
      const ofNobody = await (hashOfNobody ??= makeHash(randomBytes(32)))
      const isRight = await turns(() => verify(passwordHash ?? ofNobody, password))
      return isRight && passwordHash !== null
    },
  }
}
