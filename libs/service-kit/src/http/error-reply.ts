import type { AnyEndpoint, AppError } from '@tms/contracts'
import type { AnswerTarget } from './answer-target.ts'
import { replyErrorPage } from './page-answer.ts'
import { replyError } from './reply.ts'
import { replyScimError } from './scim-answer.ts'

/** Answers an error in the form of an endpoint's answers. */
export function errorReplyOf(
  answer: AnyEndpoint['answer'] | undefined,
): (response: AnswerTarget, error: AppError) => void {
  if (answer === 'page') return replyErrorPage
  return answer === 'scim' ? replyScimError : replyError
}
