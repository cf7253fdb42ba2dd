import { emojiById, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { showCustomEmoji } from '../kernel/parts/custom-emoji.ts'
import { getOrganization } from '../kernel/realms/realm.queries.ts'

/** The custom emoji by ID, deactivated ones included. */
export const handleListCustomEmoji: Handler<typeof endpoints.realm.listCustomEmoji, Context> = async ({
  caller,
  context,
}) => {
  const { customEmoji } = await getOrganization(context.prisma, caller.realmId)
  return { emoji: emojiById(customEmoji.map(showCustomEmoji)) }
}
