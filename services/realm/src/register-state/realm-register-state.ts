import {
  AppError,
  availableMethods,
  badRequest,
  emojiById,
  errorTable,
  type internal,
  profileFieldTypes,
  type RegisterStateBody,
  wants,
} from '@tms/contracts'
import { type InternalHandler, writeJsonFields } from '@tms/service-kit'
import type { CallContext } from '../calls/call-context.ts'
import { videoCallProvidersOf } from '../calls/call-providers.ts'
import { showCustomEmoji } from '../kernel/parts/custom-emoji.ts'
import { showEmailDomain } from '../kernel/parts/email-domain.ts'
import { showLinkifier } from '../kernel/parts/linkifier.ts'
import { showPlayground } from '../kernel/parts/playground.ts'
import { showProfileField } from '../kernel/parts/profile-field.ts'
import { showPushState } from '../kernel/realms/push-state.ts'
import {
  findOrganization,
  findPosition,
  type Organization,
  readSnapshot,
} from '../kernel/realms/realm.queries.ts'
import { integrationKeys } from './integration-keys.ts'
import { realmKeys } from './realm-keys.ts'
import { serverKeys } from './server-keys.ts'
import { unsupportedKeys } from './unsupported-keys.ts'

/** The keys of an organization for each fetch type. */
const keysByType: Readonly<
  Record<
    string,
    (realm: Organization, body: RegisterStateBody, context: CallContext) => Readonly<Record<string, unknown>>
  >
> = {
  realm: (realm, _, { uploadQuotaMib, deletionDelayDays, calls, signOn, mobilePush, sendsDigests }) => ({
    ...realmKeys(realm, availableMethods(signOn, realm.stringId)),
    ...serverKeys,
    ...prefixed(showPushState(realm, mobilePush)),
    settings_send_digest_emails: sendsDigests,
    realm_upload_quota_mib: uploadQuotaMib,
    server_min_deactivated_realm_deletion_days: deletionDelayDays.min,
    server_max_deactivated_realm_deletion_days: deletionDelayDays.max,
    realm_available_video_chat_providers: videoCallProvidersOf({ hasBigBlueButton: calls !== null }),
  }),
  // Clients that can't fill in a template get none.
  realm_linkifiers: ({ linkifiers }, { client_capabilities }) => ({
    realm_linkifiers: client_capabilities.linkifier_url_template ? linkifiers.map(showLinkifier) : [],
  }),
  realm_emoji: ({ customEmoji }) => ({ realm_emoji: emojiById(customEmoji.map(showCustomEmoji)) }),
  realm_domains: ({ emailDomains }) => ({ realm_domains: emailDomains.map(showEmailDomain) }),
  realm_playgrounds: ({ playgrounds }) => ({ realm_playgrounds: playgrounds.map(showPlayground) }),
  custom_profile_fields: ({ profileFields }) => ({
    custom_profile_fields: profileFields.map(showProfileField),
    custom_profile_field_types: profileFieldTypes,
  }),
  realm_incoming_webhook_bots: () => integrationKeys,
  ...Object.fromEntries(Object.entries(unsupportedKeys).map(([fetchType, keys]) => [fetchType, () => keys])),
}

/**
 * The organization's part of register's initial state, read in one repeatable-read transaction; if none of it is
 * requested, one statement returns the snapshot. Throws BAD_REQUEST for an unknown organization, UNAUTHORIZED for a
 * deactivated one.
 */
export const handleRealmRegisterState: InternalHandler<
  typeof internal.realm.realmRegisterState,
  CallContext
> = async (body, context) => {
  const { prisma } = context
  const wanted = Object.entries(keysByType).filter(([fetchType]) => wants(body, fetchType))
  if (wanted.length === 0) {
    const position = await findPosition(prisma, body.realm_id)
    checkActive(position)
    return { snapshot: position.snapshot, state: await writeJsonFields({}) }
  }
  const { snapshot, realm } = await prisma.$transaction(
    async (tx) => ({ snapshot: await readSnapshot(tx), realm: await findOrganization(tx, body.realm_id) }),
    { isolationLevel: 'RepeatableRead' },
  )
  checkActive(realm)
  const state: Record<string, unknown> = {}
  for (const [, keys] of wanted) Object.assign(state, keys(realm, body, context))
  return { snapshot, state: await writeJsonFields(state) }
}

const prefixed = (settings: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`realm_${name}`, value]))

/** A request admitted a moment before the organization was deactivated must not get a queue. */
function checkActive<T extends { readonly isActive: boolean }>(realm: T | null): asserts realm is T {
  if (!realm) throw badRequest('There is no such organization')
  if (!realm.isActive) throw new AppError('UNAUTHORIZED', { message: errorTable.REALM_DEACTIVATED.message })
}
