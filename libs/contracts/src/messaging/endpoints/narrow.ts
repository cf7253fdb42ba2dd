import { z } from 'zod'
import { optionalTextOrJson } from '../../parameter.ts'

/** Checked in messaging: what is no list has an error code of its own. */
export const narrow = optionalTextOrJson(z.unknown(), {
  description: 'A JSON list of {operator, operand, negated?}, or of legacy [operator, operand] pairs.',
})
