import type { ServerResponse } from 'node:http'
import type { AnyEndpoint, AppError } from '@tms/contracts'
import { replyErrorPage } from './page-answer.ts'
import { replyError } from './reply.ts'
import { replyScimError } from './scim-answer.ts'

/** Answers an error in the form of an endpoint's answers. */
export function errorReplyOf(
  answer: AnyEndpoint['answer'] | undefined,
): (response: ServerResponse, error: AppError) => void {
  if (answer === 'page') return replyErrorPage
  return answer === 'scim' ? replyScimError : replyError
}
