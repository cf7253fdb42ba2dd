import { type SignOnSettings, signOnSettings } from '@tms/contracts'
import { z } from 'zod'
import { wordIssue } from '../validation/describe-issue.ts'

/** The settings of sign-on as JSON. The message names every key that is wrong. */
export const signOn = z.string().transform((json, ctx): SignOnSettings => {
  const refuse = (message: string) => {
    ctx.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (err) {
    return refuse(`is no JSON: ${(err as Error).message}`)
  }
  const parsed = signOnSettings.safeParse(value, { error: wordIssue })
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'as a whole'} ${message}`,
  )
  return refuse(`is wrong: ${problems.join('; ')}`)
})
