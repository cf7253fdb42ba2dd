import { z } from 'zod'
import { realmExport } from '../../realm/exports.ts'
import { profileField } from '../../realm/profile-fields.ts'
import { codePlayground, customEmoji, emailDomain, linkifier } from '../../realm/records.ts'
import { realmSettingValue } from '../../realm/settings.ts'
import { exportConsent } from '../../users/export-consents.ts'
import { settingChange } from '../../users/records.ts'
import { clientEvent } from './client-event.ts'

const realm_domain = emailDomain

/** Events about the organization. */
export const organizationEvents = [
  clientEvent('realm update', "The organization's setting changed", {
    property: z.string(),
    value: realmSettingValue,
  }),
  clientEvent('realm update_dict', 'Related settings of the organization changed', {
    property: z.string().describe('`default`, or the picture that changed: `icon`, `logo` or `night_logo`.'),
    data: z.record(z.string(), realmSettingValue),
  }),
  clientEvent('realm deactivated', 'The organization was deactivated; this is the last event', {
    realm_id: z.int(),
  }),
  clientEvent('realm_user_settings_defaults update', 'A default setting of new accounts changed', {
    property: settingChange.shape.property,
    value: settingChange.shape.value,
  }),
  clientEvent('realm_linkifiers', 'Linkifiers changed', {
    realm_linkifiers: z.array(linkifier).describe('All of them, in their order.'),
  }),
  clientEvent('realm_playgrounds', 'Code playgrounds changed', {
    realm_playgrounds: z.array(codePlayground).describe('All of them.'),
  }),
  clientEvent('realm_emoji update', 'Custom emoji changed', {
    realm_emoji: z.record(z.string(), customEmoji).describe('All of them, by ID.'),
  }),
  clientEvent('custom_profile_fields', 'Custom profile fields changed', {
    fields: z.array(profileField).describe('All of them, in their order.'),
  }),
  clientEvent('realm_domains add', 'A domain whose addresses may join was added', { realm_domain }),
  clientEvent('realm_domains change', 'A domain whose addresses may join changed', { realm_domain }),
  clientEvent('realm_domains remove', 'A domain whose addresses may join was removed', {
    domain: z.string(),
  }),
  clientEvent('realm_export', 'An export was started, finished, deleted, or failed', {
    exports: z.array(realmExport).describe('All of them.'),
  }),
  clientEvent('realm_export_consent', 'A user let their private data be exported, or no longer', {
    ...exportConsent.shape,
  }),
]
