import { z } from 'zod'
import { limits } from '../../limits.ts'

/** Text of a message. What is longer than a message is cut, not refused, so it's bounded by the body that brings it. */
export const messageContent = z.string().max(limits.maxRequestBodyBytes)
