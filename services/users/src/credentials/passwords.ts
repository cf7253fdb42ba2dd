import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** At least what OWASP advises for argon2id (the algorithm by default): memory in KiB, passes, lanes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Makes and checks password hashes on libuv's threads, so the event loop goes on meanwhile. */
export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Whether the password belongs to the hash. Takes the same time when there is no hash, so that nobody learns
   * from the time whether an account exists.
   */
  matches(passwordHash: string | null, password: string): Promise<boolean>
}

export async function createPasswords(): Promise<Passwords> {
  const hashOfNobody = await hash(randomBytes(32), COST)
  return {
    hash: (password) => hash(password, COST),
    matches: async (passwordHash, password) => {
      const isRight = await verify(passwordHash ?? hashOfNobody, password)
      return isRight && passwordHash !== null
    },
  }
}
