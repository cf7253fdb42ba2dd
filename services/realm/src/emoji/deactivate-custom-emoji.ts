import { AppError, badRequest, domainEvents, type endpoints, Role } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeOrganization } from '../kernel/realms/change-organization.ts'
import { deactivateEmoji } from './custom-emoji.queries.ts'

/** Deactivates an emoji: it stays where it is used, and its name is free again. Throws BAD_REQUEST. */
export const handleDeactivateCustomEmoji: Handler<
  typeof endpoints.realm.deactivateCustomEmoji,
  Context
> = async ({ input: { emoji_name }, caller: { realmId, userId, role }, context, requestId }) => {
  const { customEmojiChanged } = domainEvents.realm
  await changeOrganization(
    context,
    customEmojiChanged,
    { realmId, requestId },
    async (tx, { customEmoji }) => {
      const emoji = customEmoji.find(({ name, isDeactivated }) => name === emoji_name && !isDeactivated)
      if (!emoji) throw new AppError('NO_SUCH_OBJECT', { message: `There is no emoji '${emoji_name}'` })
      if (emoji.authorId !== userId && role > Role.administrator)
        throw badRequest('Must be an organization administrator, or the user who added the emoji')
      await deactivateEmoji(tx, emoji.id)
    },
  )
  return {}
}
