import { endpoints } from '@tms/contracts'
import type { Names } from '../../foreign/contents.ts'
import { until } from '../../support/until.ts'
import { type Fields, namesNothing, type SamplesOf } from '../sample.ts'
import type { SampleObjects } from '../sample-objects.ts'

const EXPORTS = 'Exports are listed from the database by whichever replica of realm is asked.'

let made = 0
const newDomain = (): string => `sample-${++made}.example`
const addDomain = async ({ owner }: SampleObjects): Promise<string> => {
  const domain = newDomain()
  await owner.call(endpoints.realm.addEmailDomain, { domain, allow_subdomains: false })
  return domain
}
const newLinkifier = () => ({
  pattern: `sample-${++made}-(?P<id>x)`,
  url_template: 'https://example.com/{id}',
})
const addLinkifier = async ({ owner }: SampleObjects): Promise<Fields> => {
  const { id } = await owner.call(endpoints.realm.addLinkifier, newLinkifier())
  return { filter_id: String(id) }
}
const newPlayground = () => ({
  name: `sample ${++made}`,
  highlighter_language: 'Rust',
  url_template: 'https://play.example.com/{code}',
})
const newField = () => ({ name: `sample ${++made}`, field_type: '1' })
export const addProfileField = async ({ owner }: SampleObjects): Promise<{ field_id: string }> => {
  const added = await owner.request('POST', '/realm/profile_fields', Object.entries(newField()))
  return { field_id: String(added.body['id']) }
}
const listExports = async ({ owner }: SampleObjects) =>
  (await owner.call(endpoints.realm.listExports, {})).exports
const noneRuns = (objects: SampleObjects) =>
  until(async () => (await listExports(objects)).every(({ pending }) => !pending))
const madeExport = async (objects: SampleObjects) => {
  await noneRuns(objects)
  const { id } = await objects.owner.call(endpoints.realm.startExport, {})
  await noneRuns(objects)
  return (await listExports(objects)).find((one) => one.id === id)
}

const restoreSettings = ({ owner }: SampleObjects) =>
  owner.call(endpoints.realm.updateRealm, {
    name: 'Team Messaging',
    mandatory_topics: false,
    name_changes_disabled: false,
    email_changes_disabled: false,
    avatar_changes_disabled: false,
    require_unique_names: false,
    emails_restricted_to_domains: false,
    enable_spectator_access: false,
  })

/** Filters that name objects find nothing of another organization. */
const namesAuditedObjects = {
  valid: { target_type: 'user', actor_kind: 'user' },
  foreign: ({ user, channel, group }: Names) => [
    { actor_id: user },
    { target_type: 'user', target_id: user },
    { channel_id: channel },
    { group_id: group },
  ],
}

export const organizationSamples = {
  listAuditLog: namesAuditedObjects,
  exportAuditLog: namesAuditedObjects,
  deactivateRealm: {
    caller: 'owner of a new organization',
    ...namesNothing({ deletion_delay_days: '14' }),
  },
  createZoomCall: {
    valid: { is_video_call: 'true' },
    foreign: {},
    noConsistencyRow: 'Changes nothing here.',
  },
  createBigBlueButtonCall: {
    ...namesNothing({ meeting_name: 'a sample' }),
  },
  showCallPage: {
    foreign: {},
  },
  joinCallPage: {
    foreign: {},
    noConsistencyRow: 'Changes nothing here: BigBlueButton holds the call.',
  },
  addEmailDomain: {
    valid: () => ({ domain: newDomain(), allow_subdomains: 'false' }),
    foreign: { domain: 'other.example.org', allow_subdomains: 'false' },
  },
  updateEmailDomain: {
    valid: async (objects) => ({ domain: await addDomain(objects), allow_subdomains: 'true' }),
    foreign: ({ domain }) => [{ domain, allow_subdomains: 'true' }],
  },
  removeEmailDomain: {
    valid: async (objects) => ({ domain: await addDomain(objects) }),
    foreign: ({ domain }) => [{ domain }],
  },
  startExport: {
    valid: async (objects) => {
      await noneRuns(objects)
      return {}
    },
    foreign: {},
    noConsistencyRow: EXPORTS,
  },
  deleteExport: {
    valid: async (objects) => ({ export_id: String((await madeExport(objects))?.id) }),
    foreign: ({ export: export_id }) => [{ export_id }],
    noConsistencyRow: EXPORTS,
  },
  getExportArchive: {
    valid: async (objects) => {
      const url = String((await madeExport(objects))?.export_url)
      const [, export_id = '', token = '', filename = ''] =
        /\/realm_exports\/(\d+)\/([^/]+)\/(.+)$/.exec(url) ?? []
      return { export_id, token, filename }
    },
    foreign: ({ export: export_id, exportToken: token }) => [{ export_id, token, filename: 'x.tar.gz' }],
  },
  updateRealm: {
    restore: restoreSettings,
    valid: { description: 'a sample' },
    foreign: ({ channel, privateChannel, group }) => [
      { can_create_private_channel_group: group },
      { signup_announcements_stream_id: channel },
      { new_stream_announcements_stream_id: privateChannel },
      { moderation_request_channel_id: privateChannel },
    ],
  },
  reorderLinkifiers: {
    valid: async ({ owner }) => {
      const { linkifiers: present } = await owner.call(endpoints.realm.listLinkifiers, {})
      return { ordered_linkifier_ids: JSON.stringify(present.map(({ id }) => id)) }
    },
    foreign: ({ linkifier }, own) => [
      { ordered_linkifier_ids: `[${own.linkifier},${linkifier}]` },
      { ordered_linkifier_ids: `[${linkifier}]` },
    ],
  },
  addLinkifier: {
    valid: () => newLinkifier(),
    foreign: { pattern: 'other-(?P<id>x)', url_template: 'https://example.com/{id}' },
  },
  updateLinkifier: {
    valid: async (objects) => ({ ...(await addLinkifier(objects)), ...newLinkifier() }),
    foreign: ({ linkifier: filter_id }) => [
      { filter_id, pattern: 'taken-(?P<id>x)', url_template: 'https://example.com/{id}' },
    ],
  },
  removeLinkifier: {
    valid: addLinkifier,
    foreign: ({ linkifier: filter_id }) => [{ filter_id }],
  },
  addPlayground: {
    valid: () => newPlayground(),
    foreign: { name: 'other', pygments_language: 'other', url_template: 'https://example.com/{code}' },
  },
  removePlayground: {
    valid: async ({ owner }) => {
      const { id } = await owner.call(endpoints.realm.addPlayground, newPlayground())
      return { playground_id: String(id) }
    },
    foreign: ({ playground: playground_id }) => [{ playground_id }],
  },
  createProfileField: {
    valid: () => newField(),
    foreign: { name: 'other', field_type: '1' },
  },
  updateProfileField: {
    valid: async (objects) => ({ ...(await addProfileField(objects)), hint: 'a sample' }),
    foreign: ({ profileField: field_id }) => [{ field_id, name: 'Taken over' }],
  },
  reorderProfileFields: {
    valid: async ({ owner }) => {
      const { custom_fields } = await owner.call(endpoints.realm.listProfileFields, {})
      return { order: JSON.stringify(custom_fields.map(({ id }) => id)) }
    },
    foreign: ({ profileField }, own) => [
      { order: `[${own.profileField},${profileField}]` },
      { order: `[${profileField}]` },
    ],
  },
  removeProfileField: {
    valid: addProfileField,
    foreign: ({ profileField: field_id }) => [{ field_id }],
  },
} satisfies SamplesOf<'realm'>
