import { randomBytes } from 'node:crypto'

/** 128 bits, in characters that are the same in any case: mail servers may change it. */
const TOKEN_BYTES = 16
const TOKEN = `[0-9a-f]{${TOKEN_BYTES * 2}}`

/** The addresses for replies of an installation. */
export interface ReplyAddresses {
  /** The address with a token. */
  addressOf(token: string): string
  /** The token in an address; null if it is another address. */
  tokenIn(address: string): string | null
  /** The address with `%s` instead of a token. */
  readonly pattern: string
  /** Finds an address within a text, also as it is written in links. */
  readonly form: RegExp
}

/** `pattern` is an address in which `%s` stands for the token. */
export function createReplyAddresses(pattern: string): ReplyAddresses {
  const escaped = pattern
    .split('%s')
    .map((part) => part.replace(/[^\w@-]/g, '\\$&'))
    .join(`(${TOKEN})`)
  const whole = new RegExp(`^${escaped}$`, 'i')
  return {
    addressOf: (token) => pattern.replace('%s', token),
    tokenIn: (address) => whole.exec(address)?.[1]?.toLowerCase() ?? null,
    pattern,
    form: new RegExp(escaped.replace('\\+', '(?:\\+|%2b)').replace('@', '(?:@|%40)'), 'i'),
  }
}

/** A token for a new address. */
export const createReplyToken = (): string => randomBytes(TOKEN_BYTES).toString('hex')
