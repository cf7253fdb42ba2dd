import { AppError, badRequest, limits } from '@tms/contracts'
import type { SavedSnippetsSize } from './saved-snippet.queries.ts'

/** The title as it is stored. Throws BAD_REQUEST if it is blank or too long. */
export function checkTitle(title: string): string {
  const max = limits.maxSavedSnippetTitleLength
  const trimmed = title.trim()
  if (trimmed === '') throw badRequest('The title of a saved snippet cannot be blank')
  if ([...trimmed].length > max)
    throw badRequest(`The title of a saved snippet can have at most ${max} characters`)
  return trimmed
}

/** The content as it is stored: the space around it belongs to it. Throws BAD_REQUEST if it is blank or too long. */
export function checkContent(content: string): string {
  const max = limits.maxMessageLength
  if (content.trim() === '') throw badRequest('The content of a saved snippet cannot be blank')
  if ([...content].length > max)
    throw badRequest(`The content of a saved snippet can have at most ${max} characters`)
  return content
}

/** Throws BAD_REQUEST if a user has more than the limits allow. */
export function checkFits({ count, characters }: SavedSnippetsSize): void {
  const { maxSavedSnippets, maxSavedSnippetCharacters } = limits
  if (count > maxSavedSnippets) throw badRequest(`You can have at most ${maxSavedSnippets} saved snippets`)
  if (characters > maxSavedSnippetCharacters)
    throw badRequest(
      `Your saved snippets can have at most ${maxSavedSnippetCharacters} characters in all; this would make them ${characters}`,
    )
}

/** Also for those of other users, whose IDs are nobody's business. */
export const noSuchSnippetError = (): AppError =>
  new AppError('NO_SUCH_OBJECT', { message: 'Saved snippet does not exist' })
