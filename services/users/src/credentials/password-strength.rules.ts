import { badRequest, passwordRule } from '@tms/contracts'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Estimating takes time that grows with the square of the length; what is longer is strong enough or hopeless. */
const MAX_ESTIMATED_LENGTH = 100

/** Throws BAD_REQUEST unless a password is strong enough; `own` are words that its owner's attackers try first. */
export type CheckPasswordStrength = (password: string, own: readonly string[]) => void

/** Builds the tables of common passwords and keyboard walks once; they take some megabytes. */
export function createPasswordStrengthCheck(): CheckPasswordStrength {
  const zxcvbn = new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary })
  return (password, own) => {
    if ([...password].length < passwordRule.minLength)
      throw badRequest(`The password must have at least ${passwordRule.minLength} characters`)
    const { guesses } = zxcvbn.check(password.slice(0, MAX_ESTIMATED_LENGTH), own.flatMap(wordsOf))
    if (guesses < passwordRule.minGuesses) throw badRequest('The password is too easy to guess')
  }
}

/** An address or name, what stands before the @, and the single words. */
function wordsOf(text: string): string[] {
  return [text, text.replace(/@.*/, ''), ...text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)]
}
