import {
  badRequest,
  checkGroupSetting,
  plainRealmSettings,
  type RealmPermissionValues,
  type RealmRecord,
  realmLimits,
  realmPermissionNames,
  realmPermissions,
} from '@tms/contracts'
import { describeIssue, type Tx, wordIssue } from '@tms/service-kit'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { realmSettings } from '../kernel/realms/realm-settings.ts'
import { realmPermissionSettings, toStoredSettings } from '../kernel/realms/stored-settings.ts'
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
  ...realmPermissionSettings.shape,
})

/** Throws BAD_REQUEST if a permission of the archive can't have its value. */
function checkPermissions(settings: RealmPermissionValues): void {
  for (const name of realmPermissionNames) checkGroupSetting(name, realmPermissions[name], settings[name])
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
  checkPermissions(settings.data)
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
    ...toStoredSettings(settings.data),
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
