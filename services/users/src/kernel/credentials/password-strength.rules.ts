import { createRequire } from 'node:module'
import { badRequest, passwordRule } from '@tms/contracts'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** Throws BAD_REQUEST for a weak password; `own` are words that attackers of this user try first. */
export type CheckPasswordStrength = (password: string, own: readonly string[]) => void

/** Loads the dictionaries, some megabytes, with the first password. */
export function createPasswordStrengthCheck(): CheckPasswordStrength {
  let zxcvbn: ZxcvbnFactory | null = null
  return (password, own) => {
    const { length } = [...password]
    if (length < passwordRule.minLength)
      throw badRequest(`The password must have at least ${passwordRule.minLength} characters`)
    if (length > passwordRule.maxLength)
      throw badRequest(`The password can have at most ${passwordRule.maxLength} characters`)
    zxcvbn ??= loadZxcvbn()
    const { guesses } = zxcvbn.check(password, own.flatMap(wordsOf))
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

/** The text itself, its part before the @, and its words. */
function wordsOf(text: string): string[] {
  return [text, text.replace(/@.*/, ''), ...text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)]
}
