import {
  AppError,
  badRequest,
  emojiById,
  errorTable,
  type internal,
  profileFieldTypes,
  wants,
} from '@tms/contracts'
import { type InternalHandler, writeJsonText } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { showEmailDomain } from '../email-domains/email-domain.ts'
import { showCustomEmoji } from '../emoji/custom-emoji.ts'
import { showLinkifier } from '../linkifiers/linkifier.ts'
import { showPlayground } from '../playgrounds/playground.ts'
import { showProfileField } from '../profile-fields/profile-field.ts'
import { findOrganization, readSnapshot } from '../realms/realm.queries.ts'
import { notKeptYet } from './not-kept-yet.ts'
import { realmKeys } from './realm-keys.ts'
import { serverKeys } from './server-keys.ts'

/**
 * The organization's part of register's initial state, read in one repeatable-read transaction. Throws
 * BAD_REQUEST for an unknown organization, UNAUTHORIZED for a deactivated one.
 */
export const handleRealmRegisterState: InternalHandler<
  typeof internal.realm.realmRegisterState,
  Context
> = async (body, { prisma, uploadQuotaMib }) => {
  const { snapshot, realm } = await prisma.$transaction(
    async (tx) => ({ snapshot: await readSnapshot(tx), realm: await findOrganization(tx, body.realm_id) }),
    { isolationLevel: 'RepeatableRead' },
  )
  if (!realm) throw badRequest('There is no such organization')
  // Whoever was let in a moment before it was deactivated gets no queue that goes on.
  if (!realm.isActive) throw new AppError('UNAUTHORIZED', { message: errorTable.REALM_DEACTIVATED.message })

  const state: Record<string, unknown> = {}
  if (wants(body, 'realm')) {
    Object.assign(state, realmKeys(realm), serverKeys, { realm_upload_quota_mib: uploadQuotaMib })
  }
  if (wants(body, 'realm_linkifiers')) {
    // Clients that can't fill in a template get none.
    const { linkifier_url_template } = body.client_capabilities
    state['realm_linkifiers'] = linkifier_url_template ? realm.linkifiers.map(showLinkifier) : []
  }
  if (wants(body, 'realm_emoji')) state['realm_emoji'] = emojiById(realm.customEmoji.map(showCustomEmoji))
  if (wants(body, 'realm_domains')) state['realm_domains'] = realm.emailDomains.map(showEmailDomain)
  if (wants(body, 'realm_playgrounds')) state['realm_playgrounds'] = realm.playgrounds.map(showPlayground)
  if (wants(body, 'custom_profile_fields')) {
    state['custom_profile_fields'] = realm.profileFields.map(showProfileField)
    state['custom_profile_field_types'] = profileFieldTypes
  }
  for (const [fetchType, keys] of Object.entries(notKeptYet)) {
    if (wants(body, fetchType)) Object.assign(state, keys)
  }
  return { snapshot, state: await writeJsonText(state) }
}
