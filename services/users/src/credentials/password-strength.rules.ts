import { createRequire } from 'node:module'
import { badRequest, passwordRule } from '@tms/contracts'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** Estimating takes time that grows with the square of the length; what is longer is strong enough or hopeless. */
const MAX_ESTIMATED_LENGTH = 100

/** Throws BAD_REQUEST unless a password is strong enough; `own` are words that its owner's attackers try first. */
export type CheckPasswordStrength = (password: string, own: readonly string[]) => void

/** Builds the tables of common passwords and keyboard walks with the first password; they take some megabytes. */
export function createPasswordStrengthCheck(): CheckPasswordStrength {
  let zxcvbn: ZxcvbnFactory | null = null
  return (password, own) => {
    if ([...password].length < passwordRule.minLength)
      throw badRequest(`The password must have at least ${passwordRule.minLength} characters`)
    zxcvbn ??= loadZxcvbn()
    const { guesses } = zxcvbn.check(password.slice(0, MAX_ESTIMATED_LENGTH), own.flatMap(wordsOf))
    if (guesses < passwordRule.minGuesses) throw badRequest('The password is too easy to guess')
  }
}

function loadZxcvbn(): ZxcvbnFactory {
  const require = createRequire(import.meta.url)
  const core = require('@zxcvbn-ts/core') as typeof import('@zxcvbn-ts/core')
  const { adjacencyGraphs, dictionary } =
    require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common')
  return new core.ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary })
}

/** An address or name, what stands before the @, and the single words. */
function wordsOf(text: string): string[] {
  return [text, text.replace(/@.*/, ''), ...text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)]
}
