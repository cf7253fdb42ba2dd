import { availableMethods, emojiById, type internal, spectatorRealmKeys, wants } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { showCustomEmoji } from '../kernel/parts/custom-emoji.ts'
import { getOrganization } from '../kernel/realms/realm.queries.ts'
import { realmKeys } from '../register-state/realm-keys.ts'
import { serverKeys } from '../register-state/server-keys.ts'

/** The organization's part of register's answer to spectators. Throws BAD_REQUEST for an unknown organization. */
export const handleRealmSpectatorState: InternalHandler<
  typeof internal.realm.realmSpectatorState,
  Context
> = async (body, { prisma, signOn }) => {
  const realm = await getOrganization(prisma, body.realm_id)
  const state: Record<string, unknown> = {}
  if (wants(body, 'realm')) {
    const keys: Record<string, unknown> = {
      ...serverKeys,
      ...realmKeys(realm, availableMethods(signOn, realm.stringId)),
    }
    for (const name of spectatorRealmKeys) state[name] = keys[name]
  }
  if (wants(body, 'realm_emoji')) {
    // The author is not needed to show an emoji.
    const emoji = realm.customEmoji.map((one) => ({ ...showCustomEmoji(one), author_id: null }))
    state['realm_emoji'] = emojiById(emoji)
  }
  return { state }
}
