import { groupNameKey } from '../groups/group-name.rules.ts'
import { type ListQuery, listAnswer, select } from './answers.rules.ts'
import { readId } from './document.rules.ts'
import { type Filter, findExactText, matches, parseFilter } from './filter.rules.ts'
import { type ProvisionedGroup, toGroupResource } from './group.rules.ts'
import { findActiveGroup, listActiveGroups, listActiveGroupsByName } from './group-record.queries.ts'
import { type Document, groupSchema } from './schema.rules.ts'
import type { Provisioning } from './scim-context.ts'

/** A part of the list of active user groups, by ID. Throws invalidFilter. */
export async function listGroups(
  provisioning: Provisioning,
  { filter: text, startIndex, count, selection }: ListQuery,
): Promise<Document> {
  const { baseUrl } = provisioning
  const filter = text === null ? null : parseFilter(text, groupSchema)
  const groups = await candidates(provisioning, filter)
  const found = filter ? groups.filter((group) => matches(filter, toGroupResource(group, baseUrl))) : groups
  const page = found.slice(startIndex - 1, startIndex - 1 + count)
  const resources = page.map((group) => select(toGroupResource(group, baseUrl), selection))
  return listAnswer(resources, { startIndex, total: found.length })
}

/** Groups among which are all that the filter finds. */
async function candidates(
  { context: { db }, realm: { realm_id: realmId } }: Provisioning,
  filter: Filter | null,
): Promise<ProvisionedGroup[]> {
  const exact = filter && findExactText(filter, ['id', 'displayName'])
  if (exact?.name === 'displayName') return listActiveGroupsByName(db, realmId, groupNameKey(exact.text))
  if (!exact) return listActiveGroups(db, realmId)
  const id = readId(exact.text)
  const group = id === null ? null : await findActiveGroup(db, realmId, id)
  return group ? [group] : []
}
