import type { ExportScope, RealmRecord } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { readEntries } from '../audit-log/entries.queries.ts'
import { blobNameOf as emojiBlobOf, stillNameOf } from '../kernel/parts/emoji-files.ts'
import { fileColumns, blobNameOf as pictureBlobOf } from '../kernel/parts/realm-pictures.ts'
import type { Realm } from '../kernel/realms/realm.queries.ts'
import { readSettings } from '../kernel/realms/stored-settings.ts'
import {
  findRealmRow,
  readEmailDomains,
  readEmoji,
  readLinkifiers,
  readPlaygrounds,
  readProfileFields,
} from './realm-rows.queries.ts'

/**
 * All records of an organization in this service, in the order of the kinds. Every member may see all of them but the audit log,
 * which only a full export has.
 */
export async function* exportRealm(tx: Tx, realmId: number, scope: ExportScope): AsyncGenerator<RealmRecord> {
  const realm = await findRealmRow(tx, realmId)
  if (!realm) return
  yield organizationRecord(realm)
  for await (const { id, pattern, urlTemplate, position } of readLinkifiers(tx, realmId))
    yield { kind: 'linkifier', id, pattern, url_template: urlTemplate, order: position }
  for await (const { id, name, language, urlTemplate } of readPlaygrounds(tx, realmId))
    yield { kind: 'playground', id, name, pygments_language: language, url_template: urlTemplate }
  for await (const { id, domain, allowsSubdomains } of readEmailDomains(tx, realmId))
    yield { kind: 'email_domain', id, domain, allow_subdomains: allowsSubdomains }
  for await (const emoji of readEmoji(tx, realmId))
    yield {
      kind: 'emoji',
      id: emoji.id,
      name: emoji.name,
      file_name: emoji.fileName,
      animated: emoji.isAnimated,
      author_id: emoji.authorId,
      deactivated: emoji.isDeactivated,
    }
  for await (const field of readProfileFields(tx, realmId))
    yield {
      kind: 'profile_field',
      id: field.id,
      type: field.type,
      name: field.name,
      hint: field.hint,
      field_data: field.fieldData,
      display_in_profile_summary: field.isInSummary,
      required: field.isRequired,
      editable_by_user: field.isEditable,
      order: field.position,
    }
  if (scope !== 'full') return
  for await (const entry of readEntries(tx, realmId, {})) yield { kind: 'audit_entry', ...entry }
}

/** The names of all its pictures in the blob store. */
export async function* listRealmFiles(tx: Tx, realmId: number): AsyncGenerator<string> {
  const realm = await findRealmRow(tx, realmId)
  for (const column of Object.values(fileColumns)) {
    const file = realm?.[column]
    if (file) yield pictureBlobOf(realmId, file)
  }
  for await (const { fileName, isAnimated } of readEmoji(tx, realmId)) {
    yield emojiBlobOf(realmId, fileName)
    if (isAnimated) yield emojiBlobOf(realmId, stillNameOf(fileName))
  }
}

function organizationRecord(realm: Realm): RealmRecord {
  return {
    kind: 'organization',
    id: realm.id,
    string_id: realm.stringId,
    date_created: realm.createdAt.getTime() / 1000,
    settings: readSettings(realm),
    icon: realm.iconFile,
    logo: realm.logoFile,
    night_logo: realm.nightLogoFile,
  }
}
