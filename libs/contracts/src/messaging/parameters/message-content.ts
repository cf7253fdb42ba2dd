import { z } from 'zod'
import { limits } from '../../declarations/limits.ts'

/** Text of a message. Longer texts are truncated, not refused, so only the size of the body limits them. */
export const messageContent = z.string().max(limits.maxRequestBodyBytes)
