import { badRequest, emojiById, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { showCustomEmoji } from '../kernel/parts/custom-emoji.ts'
import { findOrganization } from '../kernel/realms/realm.queries.ts'

/** The custom emoji by ID, deactivated ones included. */
export const handleListCustomEmoji: Handler<typeof endpoints.realm.listCustomEmoji, Context> = async ({
  caller,
  context,
}) => {
  const organization = await findOrganization(context.prisma, caller.realmId)
  if (!organization) throw badRequest('There is no such organization')
  return { emoji: emojiById(organization.customEmoji.map(showCustomEmoji)) }
}
