import { badRequest, emojiById, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { findOrganization } from '../realms/realm.queries.ts'
import { showCustomEmoji } from './custom-emoji.ts'

/** The custom emoji by ID, deactivated ones included. */
export const handleListCustomEmoji: Handler<typeof endpoints.realm.listCustomEmoji, Context> = async ({
  caller,
  context,
}) => {
  const organization = await findOrganization(context.prisma, caller.realmId)
  if (!organization) throw badRequest('There is no such organization')
  return { emoji: emojiById(organization.customEmoji.map(showCustomEmoji)) }
}
