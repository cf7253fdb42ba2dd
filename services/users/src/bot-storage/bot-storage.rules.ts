import { type AppError, badRequest, limits } from '@tms/contracts'
import type { BotStorageSize } from './bot-storage.queries.ts'

/** Throws BAD_REQUEST for people: only bots have a storage. */
export function checkIsBot({ isBot }: { readonly isBot: boolean }): void {
  if (!isBot) throw badRequest('Only bots can store data')
}

/** Throws BAD_REQUEST for a key that is longer than a key can be. */
export function checkKeys(keys: readonly string[]): void {
  const { maxBotStorageKeyLength: max } = limits
  const long = keys.find((key) => [...key].length > max)
  if (long === undefined) return
  throw badRequest(`A key can have at most ${max} characters; '${[...long].slice(0, 40).join('')}…' has more`)
}

/** Throws BAD_REQUEST, with how much it is, for more than a bot can store. */
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

/** The refusal of a key under which nothing is stored. Bots compare the message with this one. */
export const noSuchKey = (): AppError => badRequest('Key does not exist.')

/** The keys without those that come again. */
export const uniqueKeys = (keys: readonly string[]): string[] => [...new Set(keys)]
