import { type AppError, badRequest, limits } from '@tms/contracts'
import type { BotStorageSize } from './bot-storage.queries.ts'

/** Throws BAD_REQUEST for human users: only bots have storage. */
export function checkIsBot({ isBot }: { readonly isBot: boolean }): void {
  if (!isBot) throw badRequest('Only bots can store data')
}

/** Throws BAD_REQUEST if a key is too long. */
export function checkKeys(keys: readonly string[]): void {
  const { maxBotStorageKeyLength: max } = limits
  const long = keys.find((key) => [...key].length > max)
  if (long === undefined) return
  throw badRequest(`A key can have at most ${max} characters; '${[...long].slice(0, 40).join('')}…' has more`)
}

/** Throws BAD_REQUEST, with the size, if the storage exceeds its limits. */
export function checkFits({ keys, characters }: BotStorageSize): void {
  const { maxBotStorageCharacters, maxBotStorageKeys } = limits
  if (characters > maxBotStorageCharacters)
    throw badRequest(
      `A bot can store at most ${maxBotStorageCharacters} characters of keys and values; this would make them ${characters}, ${characters - maxBotStorageCharacters} too many`,
    )
  if (keys > maxBotStorageKeys)
    throw badRequest(
      `A bot can store values under at most ${maxBotStorageKeys} keys; this would make them ${keys}`,
    )
}

/** Bots compare this message, so it must not change. */
export const noSuchKeyError = (): AppError => badRequest('Key does not exist.')

export const uniqueKeys = (keys: readonly string[]): string[] => [...new Set(keys)]
