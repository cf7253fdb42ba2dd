import {
  badRequest,
  groupIdOf,
  groupOf,
  type OpenGroupSetting,
  openGroupSettings,
  plainRealmSettings,
  type RealmRecord,
  realmGroupSettings,
  realmLimits,
} from '@tms/contracts'
import { describeIssue, type Tx, wordIssue } from '@tms/service-kit'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { realmSettings } from '../kernel/realms/realm-settings.ts'
import { type RealmSettings, toStoredSettings } from '../kernel/realms/stored-settings.ts'
import { checkLinkifier } from '../linkifiers/linkifier.rules.ts'
import { checkNewRealm } from '../realms/new-realm.rules.ts'
import {
  advanceIds,
  findConflictingRealms,
  type ImportedKind,
  insertRealm,
  insertRecords,
} from './import.queries.ts'

/** Records per insert. */
const BATCH = 500

const importedSettings = z.strictObject({
  ...realmSettings.shape,
  name: z.string().min(1).max(realmLimits.maxNameLength),
  description: z.string().max(realmLimits.maxDescriptionLength),
  waiting_period_threshold: z.int().nonnegative(),
  mandatory_topics: plainRealmSettings.mandatory_topics,
  create_public_stream_policy: plainRealmSettings.create_public_stream_policy,
  create_private_stream_policy: plainRealmSettings.create_private_stream_policy,
  create_web_public_stream_policy: plainRealmSettings.create_web_public_stream_policy,
  invite_to_stream_policy: plainRealmSettings.invite_to_stream_policy,
  wildcard_mention_policy: plainRealmSettings.wildcard_mention_policy,
  private_message_policy: plainRealmSettings.private_message_policy,
  ...(Object.fromEntries(
    openGroupSettings.map((name) => [name, groupIdOf(realmGroupSettings[name]).optional()]),
  ) as Record<OpenGroupSetting, z.ZodOptional<z.ZodType<number>>>),
})

/** Archives may lack groups and have only policies. */
function withGroups(settings: z.output<typeof importedSettings>): RealmSettings {
  const groups = openGroupSettings.map((name) => [name, groupOf(settings, name)])
  return { ...settings, ...(Object.fromEntries(groups) as Record<OpenGroupSetting, number>) }
}

type Installation = Pick<Context, 'externalUrl' | 'now'>

/** Imports an organization, which stays invisible until its import is opened. Throws BAD_REQUEST. */
export async function importRealm(
  tx: Tx,
  realmId: number,
  records: AsyncIterable<RealmRecord>,
  installation: Installation,
): Promise<void> {
  let isFirst = true
  let batch: RealmRecord[] = []
  const insertBatch = async () => {
    const [first] = batch
    if (first) await insertRecords(tx, realmId, first.kind as ImportedKind, batch)
    batch = []
  }
  for await (const record of records) {
    if (isFirst !== (record.kind === 'organization'))
      throw badRequest('There must be one organization, before all else')
    isFirst = false
    if (record.kind === 'organization') {
      await insertOrganization(tx, realmId, record, installation)
      continue
    }
    if (record.kind === 'linkifier') checkLinkifier(record)
    if (batch.length === BATCH || batch[0]?.kind !== record.kind) await insertBatch()
    batch.push(record)
  }
  if (isFirst) throw badRequest('There is no organization')
  await insertBatch()
  await advanceIds(tx)
}

async function insertOrganization(
  tx: Tx,
  realmId: number,
  record: RealmRecord & { kind: 'organization' },
  { externalUrl, now }: Installation,
): Promise<void> {
  if (record.id !== realmId) throw badRequest(`The organization is ${record.id}, not ${realmId}`)
  const settings = importedSettings.safeParse(record.settings, { error: wordIssue })
  if (!settings.success) throw badRequest(describeIssue('settings', settings.error))
  const { stringId, name, url } = checkNewRealm({
    string_id: record.string_id,
    name: settings.data.name,
    url: urlOf(record.string_id, externalUrl),
  })
  const [taken] = await findConflictingRealms(tx, realmId, stringId)
  if (taken?.importBegunAt) {
    const time = taken.importBegunAt.toISOString()
    throw badRequest(`An import of organization ${taken.id} was begun at ${time} and has not ended`)
  }
  if (taken) {
    const what = taken.id === realmId ? `the ID ${realmId}` : 'this subdomain'
    throw badRequest(`There is an organization with ${what} already, at ${taken.url}`)
  }
  const realm = {
    ...toStoredSettings(withGroups(settings.data)),
    id: realmId,
    stringId,
    name,
    url,
    createdAt: new Date(record.date_created * 1000),
    iconFile: record.icon,
    logoFile: record.logo,
    nightLogoFile: record.night_logo,
  }
  await insertRealm(tx, realm, now())
}

/** The URL of an organization in this installation. */
function urlOf(stringId: string, externalUrl: string): string {
  return stringId === '' ? externalUrl : externalUrl.replace('://', `://${stringId.toLowerCase()}.`)
}
