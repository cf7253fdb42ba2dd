import { z } from 'zod'
import { optionalTextOrJson, textOrJson } from '../../declarations/parameter.ts'

const description = 'A JSON list of {operator, operand, negated?}, or of legacy [operator, operand] pairs.'

// Validated by messaging, because an invalid list has an error code of its own.
export const narrow = optionalTextOrJson(z.unknown(), { description })
export const requiredNarrow = textOrJson(z.unknown(), { description })
