import {
  availableMethods,
  badRequest,
  enabledMethods,
  type endpoints,
  externalMethodsOf,
  methodFlags,
  serverVersion,
} from '@tms/contracts'
import { type Handler, subdomainOf } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { iconUrlOf } from '../kernel/parts/realm-pictures.ts'
import { showPushState } from '../kernel/realms/push-state.ts'
import { findRealmByStringId } from '../kernel/realms/realm.queries.ts'
import { readSettings } from '../kernel/realms/stored-settings.ts'
import { hasWebPublicAccess } from '../spectators/has-web-public-access.ts'
import { isIncompatible } from './compatibility.rules.ts'
import { renderDescription } from './render-description.ts'

/**
 * Server settings of the organization at the request's host (API document, "Get server settings"). A root without an
 * organization answers without the fields that describe one. Throws BAD_REQUEST for a subdomain without an
 * organization.
 */
export const handleGetServerSettings: Handler<typeof endpoints.realm.getServerSettings, Context> = async ({
  context,
  host,
  userAgent,
  requestId,
  log,
}) => {
  const subdomain = subdomainOf(host, context.externalHost)
  const realm = await findRealmByStringId(context.prisma, subdomain)
  if (!realm && subdomain !== '') throw badRequest('There is no organization at this address')
  const url = realm?.url ?? context.externalUrl
  const stringId = realm && realm.stringId
  const disabled = realm ? readSettings(realm).disabled_authentication_methods : []
  const methods = enabledMethods(availableMethods(context.signOn, stringId), disabled)

  return {
    authentication_methods: methodFlags(methods),
    external_authentication_methods: externalMethodsOf(context.signOn, stringId, disabled),
    service_feature_level: serverVersion.featureLevel,
    service_version: serverVersion.version,
    service_merge_base: serverVersion.mergeBase,
    zulip_feature_level: serverVersion.featureLevel,
    zulip_version: serverVersion.version,
    zulip_merge_base: serverVersion.mergeBase,
    push_notifications_enabled: realm
      ? showPushState(realm, context.mobilePush).push_notifications_enabled
      : context.mobilePush !== 'none',
    web_push_public_key: context.webPushPublicKey,
    is_incompatible: isIncompatible(userAgent),
    email_auth_enabled: methods.includes('Email'),
    require_email_format_usernames: !methods.includes('LDAP'),
    realm_uri: url,
    realm_url: url,
    ...(realm && {
      realm_name: realm.name,
      realm_icon: iconUrlOf(realm),
      realm_description: renderDescription(realm.description),
    }),
    realm_web_public_access_enabled:
      realm !== null && (await hasWebPublicAccess(context, realm, { requestId, log })),
  }
}
